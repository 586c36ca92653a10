import type { CharacterSet, PatternNode } from './syntax.js'

/**
 * How a backtracking engine may fare on a text of length n that does not match: about
 * `2 ** log2Factor * n ** degree` steps, or without any useful bound when `exponential`.
 */
export interface Cost {
  readonly degree: number
  readonly log2Factor: number
  readonly exponential: boolean
}

/** A deliberately pessimistic estimate: being wrong upward only means that the linear engine is asked. */
export const costOf = (tree: PatternNode): Cost => {
  const cost = measure(tree)
  // Unanchored, the engine starts again at every character.
  return { ...cost, degree: cost.degree + (isAnchored(tree) ? 0 : 1) }
}

interface Measured extends Cost {
  /** The node can match the same text in several ways, or several texts: repeated, the ways multiply. */
  readonly ambiguous: boolean
}

const nothing: Measured = { degree: 0, log2Factor: 0, exponential: false, ambiguous: false }

const measure = (node: PatternNode): Measured => {
  switch (node.type) {
    case 'character':
    case 'assertion':
      return nothing
    case 'backreference':
      return { ...nothing, exponential: true, ambiguous: true }
    case 'look':
      return { ...measure(node.body), ambiguous: true }
    case 'sequence':
      return sum(node.items.map(measure))
    case 'choice':
      return measureChoice(node.options)
    case 'repeat':
      return measureRepeat(node)
  }
}

const sum = (parts: readonly Measured[]): Measured =>
  parts.reduce(
    (left, right) => ({
      degree: left.degree + right.degree,
      log2Factor: left.log2Factor + right.log2Factor,
      exponential: left.exponential || right.exponential,
      ambiguous: left.ambiguous || right.ambiguous,
    }),
    nothing,
  )

const measureChoice = (options: readonly PatternNode[]): Measured => {
  const parts = options.map(measure)
  return {
    degree: Math.max(...parts.map((part) => part.degree)),
    log2Factor: Math.max(...parts.map((part) => part.log2Factor)) + Math.log2(options.length),
    exponential: parts.some((part) => part.exponential),
    ambiguous: parts.some((part) => part.ambiguous) || anyOverlap(options.map(firstSet)),
  }
}

const measureRepeat = ({ body, min, max }: PatternNode & { type: 'repeat' }): Measured => {
  const inner = measure(body)
  // How often is a choice of its own: `a?` can be there or not, so thirty in a row can be had in 2^30 ways.
  const finite = max === Infinity ? Math.max(min, 1) : Math.max(max, 1) + (min === max ? 0 : 1)
  return {
    degree: inner.degree + (max === Infinity ? 1 : 0),
    log2Factor: inner.log2Factor + Math.log2(finite),
    exponential: inner.exponential || (max > 1 && inner.ambiguous),
    ambiguous: inner.ambiguous || min !== max,
  }
}

const isAnchored = (node: PatternNode): boolean => {
  if (node.type === 'assertion') return node.kind === '^'
  if (node.type === 'sequence') return node.items[0] !== undefined && isAnchored(node.items[0])
  return node.type === 'choice' && node.options.every(isAnchored)
}

/** The characters a node may begin with: one flag for each of ASCII, one for all others; undefined when unknown. */
type FirstSet = Readonly<Uint8Array> | undefined

const samples = 129

const firstSet = (node: PatternNode): FirstSet => {
  if (node.type === 'character') return flagsOf(node.set)
  if (node.type === 'sequence') return node.items[0] === undefined ? undefined : firstSet(node.items[0])
  if (node.type === 'repeat') return node.min > 0 ? firstSet(node.body) : undefined
  if (node.type !== 'choice') return undefined
  const joined = new Uint8Array(samples)
  for (const option of node.options) {
    const set = firstSet(option)
    if (set === undefined) return undefined
    for (let i = 0; i < samples; i++) joined[i]! |= set[i]!
  }
  return joined
}

const flagsOf = ({ negated, ranges, properties }: CharacterSet): FirstSet => {
  if (properties.length > 0) return undefined
  const others = samples - 1
  const flags = new Uint8Array(samples).fill(negated ? 1 : 0)
  for (const [from, to] of ranges) {
    flags.fill(negated ? 0 : 1, from, Math.min(to + 1, others))
    if (to >= others) flags[others] = 1
  }
  return flags
}

const anyOverlap = (sets: readonly FirstSet[]): boolean => {
  const taken = new Uint8Array(samples)
  for (const set of sets) {
    if (set === undefined) return true
    for (let i = 0; i < samples; i++) {
      if (set[i] === 0) continue
      if (taken[i] === 1) return true
      taken[i] = 1
    }
  }
  return false
}
