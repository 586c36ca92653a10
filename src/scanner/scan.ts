import type { JsonObject } from '../model/json.js'
import { Automaton, type Hit } from './automaton.js'
import { decodedIn } from './decode.js'
import type { Finding, Severity } from './finding.js'
import { hiddenIn } from './hidden.js'
import { marksIn, type OtherNames } from './marks.js'
import { isAmong, nameMarks } from './names.js'
import { normalForm, otherReadings, wordsOfName } from './normal.js'
import { classes } from './rules/classes.js'
import { reasons } from './rules/reasons.js'
import { type Rule, window } from './rules/rule.js'
import { rules } from './rules/rules.js'
import { signals } from './rules/signals.js'
import { type PlacedText, pointerOf, textsOf } from './texts.js'

/** What else is on the board: words that speak of others' tools, and names that look like theirs, are told by it. */
export interface Neighbours {
  /** The names of this source's own tools. */
  readonly own: ReadonlySet<string>
  /** The names of other sources' tools, and of those sources. */
  readonly others: ReadonlySet<string>
}

/** What a source says of itself: the definition of a tool, prompt, resource or template, or its instructions as `{ instructions }`. */
export type Scannable = JsonObject

/** What a person should look at in these words, the gravest first. The same words always give the same findings. */
export const scan = (words: Scannable, neighbours?: Neighbours): readonly Finding[] => {
  const { texts, isWhole } = textsOf(words)
  const isOther = othersOf(neighbours)
  const findings: Finding[] = []
  for (const each of texts) {
    if (findings.length >= most) break
    look(each, isOther, findings)
    if (each.part !== 'name') continue
    for (const { rule, severity } of nameMarks(each.text, neighbours?.others))
      findings.push(findingOf(each, rule, severity, each.text))
  }
  if (!isWhole) findings.push({ ...unread, place: '' })
  return findings.length < 2
    ? findings
    : findings.sort((a, b) => weight[b.severity] - weight[a.severity]).slice(0, most)
}

/** Beyond so many findings another one tells nothing new. */
const most = 50

const weight: Readonly<Record<Severity, number>> = { low: 0, medium: 1, high: 2 }
let automaton: Automaton | undefined
/** Made when the first words are read: most commands read none. */
const reader = (): Automaton => {
  automaton ??= new Automaton(signals, classes)
  return automaton
}

/** What a reading found, the same rule not twice: places are told by the text they are in. */
const look = (placed: PlacedText, isOther: OtherNames, findings: Finding[]): void => {
  const { text: raw, part } = placed
  const hidden = hiddenIn(raw, part === 'name')
  for (const { rule, severity, at, end } of hidden.marks)
    findings.push(findingOf(placed, rule, severity, raw.slice(Math.max(0, at - 20), end + 20)))
  for (const said of hidden.said) findings.push(...raised(placed, said, isOther, 'unicode.tags'))

  const { text, mixed } = normalForm(part === 'words' ? raw : wordsOfName(raw))
  if (mixed.length > 0)
    findings.push(
      findingOf(
        placed,
        'unicode.homoglyph',
        part === 'words' && mixed.length < 3 ? 'medium' : 'high',
        mixed.slice(0, 5).join(' '),
      ),
    )
  readWords(placed, text, isOther, findings)
  for (const reading of otherReadings(text)) findings.push(...raised(placed, reading, isOther, 'encoded.instruction'))
  for (const { text: decoded } of decodedIn(raw))
    findings.push(...raised(placed, decoded, isOther, 'encoded.instruction', 1))
}

/** Reads the words of a text, in its normal form, by the rules. */
const readWords = (placed: PlacedText, text: string, isOther: OtherNames, findings: Finding[]): void => {
  const hits = spoken(text, reader().read(text, marksIn(text, isOther)))
  if (hits.length === 0) return
  const places = bySignal(hits)
  const told = new Set<string>()
  for (const rule of rules) {
    if (rule.unless?.some((id) => told.has(id))) continue
    const found = fulfilled(rule, places)
    if (found === undefined) continue
    told.add(rule.id)
    findings.push({
      rule: rule.id,
      severity: rule.severity,
      place: pointerOf(placed.way),
      reason: rule.reason,
      excerpt: excerptOf(text.slice(found.from, found.to)),
    })
  }
}

const detector = /detect|scan|flag|filter|block|moderat|jailbreak|injection|检测|识别|拦截|注入|越狱/
const openingQuote = /["'`“‘「《]$/
const closingQuote = /^[^"'`”’」》\n]{0,60}["'`”’」》]/

/** Without phrases that a text only quotes, in a few words each, as what it looks for in others. */
const spoken = (text: string, hits: readonly Hit[]): readonly Hit[] =>
  hits.length === 0 || !detector.test(text)
    ? hits
    : hits.filter(
        ({ from, to }) =>
          !openingQuote.test(text.slice(Math.max(0, from - 2), from)) || !closingQuote.test(text.slice(to, to + 62)),
      )

/** What comes out of a code: grave where it would have been told in plain words, since nobody hides what is harmless. */
const raised = (placed: PlacedText, text: string, isOther: OtherNames, rule: string, depth = 0): readonly Finding[] => {
  const inner: Finding[] = []
  const normal = normalForm(text).text
  readWords(placed, normal, isOther, inner)
  if (inner.some(({ severity }) => severity !== 'low')) return [findingOf(placed, rule, 'high', normal)]
  if (depth > 0)
    for (const { text: deeper } of decodedIn(text)) {
      const found = raised(placed, deeper, isOther, rule, depth - 1)
      if (found.length > 0) return found
    }
  return []
}

type Places = ReadonlyMap<string, readonly Hit[]>

const bySignal = (hits: readonly Hit[]): Places => {
  const places = new Map<string, Hit[]>()
  for (const hit of hits) {
    const known = places.get(hit.signal)
    if (!known) places.set(hit.signal, [hit])
    else if (known.length < 40) known.push(hit)
  }
  return places
}

/** The lists of each rule with every `a|b` written out. */
const lists = new Map(rules.map((rule) => [rule, rule.when.flatMap(writtenOut)]))

/** Where all signals of one of a rule's lists stand together. */
const fulfilled = (rule: Rule, places: Places): { readonly from: number; readonly to: number } | undefined => {
  const { within = window } = rule
  for (const [first, ...rest] of lists.get(rule)!) {
    for (const hit of places.get(first!) ?? []) {
      let { from, to } = hit
      const isThere = rest.every((signal) => {
        const near = places.get(signal)?.find((other) => other.from < hit.to + within && other.to > hit.from - within)
        if (near === undefined) return false
        from = Math.min(from, near.from)
        to = Math.max(to, near.to)
        return true
      })
      if (isThere) return { from, to }
    }
  }
  return undefined
}

const othersOf = (neighbours: Neighbours | undefined): OtherNames => {
  if (neighbours === undefined || neighbours.others.size === 0) return () => false
  const { own, others } = neighbours
  return (name) => isAmong(name, others) && !isAmong(name, own)
}

const findingOf = ({ way }: PlacedText, rule: string, severity: Severity, text: string): Finding => ({
  rule,
  severity,
  place: pointerOf(way),
  reason: reasons[rule]!,
  excerpt: excerptOf(text),
})

const unread = { rule: 'bounds.unread', severity: 'high', reason: reasons['bounds.unread']!, excerpt: '' } as const

/** On one line, everything that is not plainly visible as an escape. */
const excerptOf = (text: string): string => {
  let excerpt = ''
  for (const each of text.slice(0, 240)) {
    const code = each.codePointAt(0)!
    const shown =
      code === 10 || code === 9 || code === 13 ? ' ' : isPlain(code, each) ? each : `\\u{${code.toString(16)}}`
    if (excerpt.length + shown.length > 119) return `${excerpt}…`
    excerpt += shown
  }
  return excerpt
}

const isPlain = (code: number, each: string): boolean =>
  code < 127
    ? code >= 32
    : /[\p{L}\p{N}\p{P}\p{S}]/u.test(each) && !/[\p{Co}\u2800\u3164\uffa0\u115f\u1160]/u.test(each)

function writtenOut(list: readonly string[]): readonly (readonly string[])[] {
  return list.reduce<readonly (readonly string[])[]>(
    (lists, either) => lists.flatMap((sofar) => either.split('|').map((each) => [...sofar, each])),
    [[]],
  )
}
