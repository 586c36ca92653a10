import type { Clock } from '../../model/clock.js'
import type { Tool } from '../../model/tool.js'
import { type FieldName, fieldTexts } from '../index/fields.js'
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

/** Scores of a match of the whole text and of one within it (the first four fields as in document 002). */
const fieldScores = [
  ['name', 1, 0.8],
  ['title', 0.75, 0.7],
  ['alias', 0.75, 0.65],
  ['description', 0.6, 0.4],
  ['tag', 0.5, 0.3],
  ['category', 0.45, 0.25],
  ['source', 0.45, 0.25],
  ['parameter', 0.35, 0.2],
  ['parameter text', 0.15, 0.1],
] as const satisfies readonly (readonly [FieldName, number, number])[]

const textsByTool = new WeakMap<Tool, ReadonlyMap<FieldName, readonly string[]>>()

/** Ranks by the best field that matches; a name that matches as a whole comes first. */
export const searchByPattern = (pattern: string, tools: readonly Tool[], clock: Clock): RegexOutcome => {
  const matcher = compileMatcher(pattern, clock)
  const owners: number[] = []
  const places: number[] = []
  const texts: string[] = []
  // Field by field, so that when time runs out the fields that count most have been seen.
  for (const [place, [field]] of fieldScores.entries()) {
    for (const [owner, tool] of tools.entries()) {
      for (const text of textsOf(tool, field)) {
        owners.push(owner)
        places.push(place)
        texts.push(text)
      }
    }
  }
  const { found, complete } = matcher.match(texts)
  return { hits: collect(tools, found, owners, places), literal: matcher.literal, complete }
}

const textsOf = (tool: Tool, field: FieldName): readonly string[] => {
  const known = textsByTool.get(tool)
  if (known) return known.get(field) ?? []
  const texts = new Map(fieldTexts(tool).map((entry) => [entry.field, entry.texts]))
  // The whole id counts as the name: `github.create_issue` is what a caller copies from a list.
  texts.set('name', [...new Set([tool.id, ...(texts.get('name') ?? [])])])
  textsByTool.set(tool, texts)
  return texts.get(field) ?? []
}

const collect = (
  tools: readonly Tool[],
  found: Uint8Array,
  owners: readonly number[],
  places: readonly number[],
): readonly RegexHit[] => {
  const hits = new Map<number, { score: number; fields: Set<FieldName> }>()
  for (let i = 0; i < found.length; i++) {
    if (found[i] === 0) continue
    const [field, full, part] = fieldScores[places[i]!]!
    const hit = hits.get(owners[i]!) ?? { score: 0, fields: new Set() }
    hit.score = Math.max(hit.score, found[i] === 2 ? full : part)
    hit.fields.add(field)
    hits.set(owners[i]!, hit)
  }
  return [...hits].map(([owner, { score, fields }]) => ({ tool: tools[owner]!, score, fields: [...fields] }))
}
