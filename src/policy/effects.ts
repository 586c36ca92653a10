import { matchesGlob } from '../model/glob.js'
import type { ToolDefinition } from '../model/tool.js'

/** What somebody of this house says about what tools do. Strangers' words are not among it, unless their source is trusted. */
export interface EffectWords {
  /** Whether an approver said of this very definition that it is read-only. */
  isStated(tool: EffectSubject): boolean
  /** Whether the hints of this source count (`annotations: "trust"`). */
  trusts(source: string): boolean
}

/** What is asked about: a tool; whatever has no definition is none, and nobody can call it read-only. */
export interface EffectSubject {
  readonly id: string
  readonly name?: string | undefined
  readonly source?: string | undefined
  readonly own?: boolean | undefined
  readonly definition?: ToolDefinition | undefined
}

/** Whose word makes it read-only: a pattern of the profile, an approver, or a source that is trusted. */
export type EffectBy = 'board' | 'profile' | 'approver' | 'annotations'

/** Whether a tool changes nothing, by our own word, and else why that does not hold. */
export type Effect =
  | { readonly readonly: true; readonly by: EffectBy }
  | { readonly readonly: false; readonly why: 'destructive' | 'unsaid' }

/** Nobody is there who could have said anything. */
export const noWords: EffectWords = Object.freeze({ isStated: () => false, trusts: () => false })

/**
 * What a tool does, as far as we say so (decision of the operator, never of the tool): its own hint can only take the word
 * away. What nobody speaks of may change things.
 */
export const effectOf = (tool: EffectSubject, patterns: readonly string[] | undefined, words: EffectWords): Effect => {
  // The board's own tools look, or call others, which are decided about for themselves; those that register ask for that right.
  if (tool.own) return byBoard
  if (!tool.definition) return unsaid
  const hints = tool.definition.annotations
  if (hints?.destructiveHint === true) return destructive
  if (patterns?.some((pattern) => matchesGlob(pattern, tool.id))) return byProfile
  if (words.isStated(tool)) return byApprover
  return hints?.readOnlyHint === true && tool.source !== undefined && words.trusts(tool.source) ? byAnnotations : unsaid
}

/** What a tool's own words would have us believe: shown beside, for whoever decides. */
export const suggestionOf = ({ annotations }: ToolDefinition): 'readonly' | 'destructive' | undefined => {
  if (annotations?.destructiveHint === true) return 'destructive'
  return annotations?.readOnlyHint === true ? 'readonly' : undefined
}

/** Why somebody who may only read may not call it, and what an operator does about it. */
export const whyNotReadonly = ({ id, definition }: EffectSubject, why: 'destructive' | 'unsaid'): string => {
  const only = 'only read-only tools may be called with this role'
  if (why === 'destructive') return `${only}, and its server calls it destructive`
  return definition ? `${only}; an approver can say so of it: pegboard approvals effect ${id} readonly` : only
}

const by = (who: EffectBy): Effect => ({ readonly: true, by: who })
const not = (why: 'destructive' | 'unsaid'): Effect => ({ readonly: false, why })
const [byBoard, byProfile, byApprover, byAnnotations] = [by('board'), by('profile'), by('approver'), by('annotations')]
const [destructive, unsaid] = [not('destructive'), not('unsaid')]
