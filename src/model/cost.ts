import type { Answer } from './result.js'

type Told = {
  readonly meta?: { readonly cost?: unknown } | null | undefined
  readonly _meta?: { readonly cost?: unknown } | null | undefined
}

/** What an answer says it cost: `{ output, meta: { cost } }` as document 000 advises (000-15), or MCP's `_meta`. */
export const costOf = (answer: Answer): number | undefined => {
  const told = (answer.type === 'value' ? answer.value : answer.result) as Told | null | undefined
  if (typeof told !== 'object' || told === null) return undefined
  const cost = told.meta?.cost ?? told._meta?.cost
  return typeof cost === 'number' && Number.isFinite(cost) ? cost : undefined
}
