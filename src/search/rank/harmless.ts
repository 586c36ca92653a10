import type { Tool } from '../../model/tool.js'
import { deedNamed, deedOf, deedsAsked, type ToolDeed } from '../lexicon/verbs.js'

/** Whether the operator calls a tool read-only. */
export type IsReadonly = (tool: Tool) => boolean

/** How many of the best are looked at for a harmless one. */
export const mostLookedAt = 32

// What scores less than this share of the best answers something else: it must not come first for its manners alone.
const nearEnough = { grave: 0, mild: 0.25, slight: 0.45 } as const

/**
 * The last step of ordering: a tool that deletes, overwrites or sends does not stand first where nobody asked for that (U7). The first
 * harmless one changes places with those before it; nothing is left out. Their scores become no higher than its own, so that the
 * order stays one of scores.
 */
export const harmlessFirst = <Ranked extends { readonly score: number }>(
  ranked: readonly Ranked[],
  query: string,
  toolOf: (ranked: Ranked) => Tool,
  isReadonly: IsReadonly | undefined,
): readonly Ranked[] => {
  const [best] = ranked
  if (!best) return ranked
  const asked = deedsAsked(query)
  const harm = harmOf(toolOf(best), asked, isReadonly)
  if (harm === 'none') return ranked
  const least = best.score * nearEnough[harm]
  const harms = ranked.map((each) => (each.score > least ? harmOf(toolOf(each), asked, isReadonly) : harm))
  // Where everything does something unasked, what only adds or changes is still better than what deletes.
  const place = harms.includes('none')
    ? harms.indexOf('none')
    : harms.findIndex((each) => harm === 'grave' && each !== 'grave')
  const first = ranked[place]
  if (!first) return ranked
  const behind = ranked.slice(0, place).map((each) => ({ ...each, score: Math.min(each.score, first.score) }))
  return [first, ...behind, ...ranked.slice(place + 1)]
}

/** `grave` is never first while there is anything else; the others not while something else fits about as well. */
type Harm = keyof typeof nearEnough | 'none'

const reading: ReadonlySet<ToolDeed> = new Set(['get', 'list', 'convert', 'compute'])

const harmOf = (tool: Tool, asked: ReadonlySet<ToolDeed>, isReadonly: IsReadonly | undefined): Harm => {
  const deed = deedOf(tool)
  // Who names a thing and no deed may want anything done with it, least of all that it is gone.
  if (asked.size === 0) return deed === 'delete' || deed === 'send' ? 'mild' : deed === 'update' ? 'slight' : 'none'
  if (deed !== undefined && asked.has(deed)) return 'none'
  if (deed === 'delete') return 'grave'
  if (asked.has('delete') || (deed !== undefined && reading.has(deed))) return 'none'
  const reads = [...asked].every((each) => reading.has(each))
  if (deed === 'send') return reads || asked.has('create') ? 'grave' : 'none'
  // Verbs say no more; the operator's word and the tool's own do.
  if (isReadonly?.(tool) === true) return 'none'
  const hints = tool.definition.annotations
  if (deed === undefined) return hints?.destructiveHint === true && !asked.has('update') ? 'mild' : 'none'
  if (hints?.readOnlyHint === true || deedNamed(tool) === undefined) return 'none'
  if (reads) return 'mild'
  return deed === 'update' && asked.has('create') && hints?.destructiveHint !== false ? 'mild' : 'none'
}
