import type { Clock } from '../../model/clock.js'
import type { Tool } from '../../model/tool.js'
import { type FieldName, type FieldTexts, headTexts, parameterTexts } from '../index/fields.js'
import { compileMatcher } from './compile.js'

export interface RegexHit {
  readonly tool: Tool
  readonly score: number
  readonly fields: readonly FieldName[]
}

export interface RegexOutcome {
  readonly hits: readonly RegexHit[]
  readonly literal: boolean
  readonly complete: boolean
}

/** Scores of a match of the whole text and of one within it; name, description and tag as in document 002. */
const fieldScores: Readonly<Record<FieldName, readonly [full: number, part: number]>> = {
  name: [1, 0.8],
  title: [0.75, 0.7],
  alias: [0.75, 0.65],
  description: [0.6, 0.4],
  tag: [0.5, 0.3],
  category: [0.45, 0.25],
  source: [0.45, 0.25],
  parameter: [0.35, 0.2],
  example: [0.2, 0.15],
  'parameter text': [0.15, 0.1],
  translation: [0, 0],
}

// Reading the texts of a very large catalog takes longer than matching them.
const readingBudgetMs = 60
const toolsPerLook = 256

/** Ranks by the best field that matches; a name that matches as a whole comes first. */
export const searchByPattern = (pattern: string, tools: readonly Tool[], clock: Clock): RegexOutcome => {
  const matcher = compileMatcher(pattern, clock)
  const pile: Pile = { texts: [], owners: [], fields: [] }
  const until = clock.now() + readingBudgetMs
  // Names first, so that when time runs out the fields that count most have been read.
  const read = [nameTexts, headTexts, parameterTexts].every((part) =>
    addTexts(pile, tools, part, () => clock.now() < until),
  )
  const { found, complete } = matcher.match(pile.texts)
  return { hits: collect(tools, found, pile), literal: matcher.literal, complete: complete && read }
}

/** Texts with the tool each belongs to and the field it stands in. */
interface Pile {
  readonly texts: string[]
  readonly owners: number[]
  readonly fields: FieldName[]
}

/** The whole id counts as the name: `github.create_issue` is what a caller copies from a list. */
const nameTexts = ({ id, name }: Tool): readonly FieldTexts[] => [
  { field: 'name', texts: id === name ? [name] : [id, name] },
]

/** False when there was no time for all of them. */
const addTexts = (
  { texts, owners, fields }: Pile,
  tools: readonly Tool[],
  read: (tool: Tool) => readonly FieldTexts[],
  hasTime: () => boolean,
): boolean => {
  for (const [owner, tool] of tools.entries()) {
    if (owner % toolsPerLook === 0 && !hasTime()) return false
    for (const entry of read(tool)) {
      for (const text of entry.texts) {
        texts.push(text)
        owners.push(owner)
        fields.push(entry.field)
      }
    }
  }
  return true
}

const collect = (tools: readonly Tool[], found: Uint8Array, { owners, fields }: Pile): readonly RegexHit[] => {
  const hits = new Map<number, { score: number; fields: Set<FieldName> }>()
  for (let i = 0; i < found.length; i++) {
    if (found[i] === 0) continue
    const [full, part] = fieldScores[fields[i]!]
    const hit = hits.get(owners[i]!) ?? { score: 0, fields: new Set() }
    hit.score = Math.max(hit.score, found[i] === 2 ? full : part)
    hit.fields.add(fields[i]!)
    hits.set(owners[i]!, hit)
  }
  return [...hits].map(([owner, { score, fields }]) => ({ tool: tools[owner]!, score, fields: [...fields] }))
}
