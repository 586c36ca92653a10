import type { Tool } from '../../model/tool.js'
import { eachTerm, hanRuns } from '../analyse/terms.js'
import type { Lexicon } from '../lexicon/lexicon.js'
import { type FieldName, fieldNames, fieldTexts } from './fields.js'

/**
 * How a field counts: `weight` of one occurrence, `pivot` the length in terms at which it counts as is, `slope` how much
 * a longer text dilutes it, `cap` how often one term may be repeated. Caps and slopes are what keeps a tool that
 * stuffs keywords from winning. Pivots are constants and not averages of the catalog, so that a tool's impact depends
 * on that tool alone: an update touches one tool, and what a caller cannot see cannot move their scores.
 */
interface FieldRule {
  readonly weight: number
  readonly pivot: number
  readonly slope: number
  readonly cap: number
}

const rules: Readonly<Record<FieldName, FieldRule>> = {
  name: { weight: 4, pivot: 3, slope: 0.45, cap: 2 },
  title: { weight: 2, pivot: 3, slope: 0.3, cap: 2 },
  alias: { weight: 3, pivot: 6, slope: 0.5, cap: 1 },
  source: { weight: 2, pivot: 2, slope: 0.1, cap: 1 },
  description: { weight: 1, pivot: 12, slope: 0.7, cap: 4 },
  parameter: { weight: 1, pivot: 6, slope: 0.4, cap: 2 },
  'parameter text': { weight: 0.4, pivot: 25, slope: 0.4, cap: 3 },
  tag: { weight: 0.5, pivot: 3, slope: 0.3, cap: 1 },
  category: { weight: 0.5, pivot: 1, slope: 0.3, cap: 1 },
  example: { weight: 1, pivot: 20, slope: 0.5, cap: 2 },
  translation: { weight: 0.5, pivot: 14, slope: 0.7, cap: 1 },
}

const saturation = 1.5
/** Impacts are kept as 16-bit fractions of this. */
export const impactUnit = 0xffff

/** A term of one tool: its saturated weight as a fraction of `impactUnit`, and a bit for each field it stands in. */
export interface Impact {
  readonly impact: number
  readonly fields: number
}

interface Tally {
  weight: number
  fields: number
}

/** The terms of a tool and how much each says about it. Depends on this tool only. */
export const impactsOf = (tool: Tool, lexicon: Lexicon): ReadonlyMap<string, Impact> => {
  const tallies = new Map<string, Tally>()
  const han: string[] = []
  for (const { field, texts } of fieldTexts(tool)) {
    tallyField(
      field,
      (sink) => {
        for (const text of texts) eachTerm(text, sink)
      },
      tallies,
    )
    if (field === 'name' || field === 'title' || field === 'description') han.push(...texts.flatMap(hanRuns))
  }
  if (han.length > 0) {
    const terms = [...lexicon.translate(han).keys()]
    tallyField(
      'translation',
      (sink) => {
        for (const term of terms) sink(term, false)
      },
      tallies,
    )
  }
  return new Map([...tallies].map(([term, tally]) => [term, toImpact(tally)]))
}

const toImpact = ({ weight, fields }: Tally): Impact => ({
  impact: Math.max(1, Math.round((impactUnit * weight) / (saturation + weight))),
  fields,
})

const tallyField = (
  field: FieldName,
  read: (sink: (term: string, extra: boolean) => void) => void,
  tallies: Map<string, Tally>,
): void => {
  const counts = new Map<string, number>()
  let length = 0
  read((term, extra) => {
    counts.set(term, (counts.get(term) ?? 0) + 1)
    if (!extra) length += 1
  })
  const { weight, pivot, slope, cap } = rules[field]
  const norm = 1 - slope + (slope * length) / pivot
  const bit = 1 << fieldNames.indexOf(field)
  for (const [term, count] of counts) {
    const tally = tallies.get(term) ?? { weight: 0, fields: 0 }
    tally.weight += (weight * Math.min(count, cap)) / norm
    tally.fields |= bit
    tallies.set(term, tally)
  }
}
