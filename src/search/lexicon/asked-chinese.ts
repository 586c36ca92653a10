import { askedFor, askedVerbs, noVerbs } from '../data/verbs.js'
import { readRows, type ToolDeed, type Wish, wordsIn } from './verb-table.js'

/** What the Chinese of a query asks for. */
export const askedInChinese = (text: string): readonly Wish[] =>
  text
    .toLowerCase()
    .split(/[,.;!\n，。；！、]/u)
    .flatMap(askedInClause)

const asksSomething = /什么|哪|谁|几|多少|吗|呢|有没有|是不是|怎么|如何|多[高大远久长重]|[?？]/u
// Whoever says this wants something done, also where it is put as a question.
const wantsDone = /把|帮|请|给我|麻烦|能不能|可以|可否/u

const askedInClause = (clause: string): readonly Wish[] => {
  if (asksSomething.test(clause) && !wantsDone.test(clause)) return [{ deeds: ['get', 'list'] }]
  return verbsIn(clause)
    .filter(({ at, verb }) => isAskedFor(clause, at, verb))
    .map(({ verb }) => wishBy(verb, clause))
}

interface Found {
  readonly verb: string
  readonly at: number
}

/** The longest words first, so that 发票 hides 发; what is no verb is passed over. */
const verbsIn = (clause: string): readonly Found[] => {
  const { words, longest } = tables()
  const found: Found[] = []
  for (let at = 0; at < clause.length; ) {
    let length = Math.min(longest, clause.length - at)
    while (length > 0 && !words.has(clause.slice(at, at + length))) length -= 1
    if (length > 0 && words.get(clause.slice(at, at + length))) found.push({ verb: clause.slice(at, at + length), at })
    at += Math.max(1, length)
  }
  return found
}

const negated = /(?:不要|不用|不想|别|不|没有|没|未)[再去]?$/u
// A single character is a verb where one may begin; within other words it is none.
const mayBegin = /(?:^|\s|[帮我请要想来去再先下给您你里上中并把就后]|[a-z0-9])$/u

const isAskedFor = (clause: string, at: number, verb: string): boolean => {
  const before = clause.slice(0, at)
  const after = clause.slice(at + verb.length)
  if (negated.test(before)) return false
  if (verb.length === 1 && !mayBegin.test(before)) return false
  // 删除的文件 and 我改了什么 tell what was done; 把它合并了 asks for it.
  if (/^(?:[我你他她它们]{0,2}[了来]?的|过)/u.test(after)) return false
  return !/^了/u.test(after) || /[把将帮请]/u.test(before)
}

const wishBy = (verb: string, clause: string): Wish => {
  const { words, objects } = tables()
  const row = objects.find((each) => each.verbs.some((start) => verb.startsWith(start)) && each.has.test(clause))
  return row ? { deeds: row.deeds, verb } : { deeds: words.get(verb) ?? [] }
}

interface AskedVerbs {
  /** Deeds by verb; undefined for words that are none. */
  readonly words: ReadonlyMap<string, readonly ToolDeed[] | undefined>
  readonly longest: number
  readonly objects: readonly ObjectRow[]
}

interface ObjectRow {
  readonly deeds: readonly ToolDeed[]
  readonly verbs: readonly string[]
  readonly has: RegExp
}

let read: AskedVerbs | undefined
const tables = (): AskedVerbs => (read ??= readAsked())

const startsHan = /^\p{Script=Han}/u

const readAsked = (): AskedVerbs => {
  const words = new Map<string, readonly ToolDeed[] | undefined>(wordsIn(noVerbs).map((word) => [word, undefined]))
  for (const { deeds, columns } of readRows(askedVerbs)) for (const verb of columns[1] ?? []) words.set(verb, deeds)
  const objects = readRows(askedFor).flatMap(({ deeds, columns: [verbs = [], named = []] }) => {
    const chinese = verbs.filter((verb) => startsHan.test(verb))
    // What was only a verb with an object is looked for as well.
    for (const verb of chinese) if (!words.has(verb)) words.set(verb, [])
    return chinese.length > 0 ? [{ deeds, verbs: chinese, has: anyOf(named) }] : []
  })
  return { words, longest: Math.max(...[...words.keys()].map(({ length }) => length)), objects }
}

/** Chinese objects anywhere, others as whole words. */
const anyOf = (objects: readonly string[]): RegExp =>
  new RegExp(
    objects.map((each) => (startsHan.test(each) ? each : `(?<![a-z])${each.replaceAll('_', ' ')}(?![a-z])`)).join('|'),
    'u',
  )
