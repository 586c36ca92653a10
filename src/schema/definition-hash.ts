import { hash } from 'node:crypto'
import { scriptHashKey, type ToolDefinition } from '../model/tool.js'
import { canonicalJson } from './canonical.js'

// What a model reads or a client acts on (T17). `_meta` and vendor fields change without anybody being deceived.
const pinned = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations', 'icons'] as const

const known = new WeakMap<ToolDefinition, string>()

/**
 * SHA-256 (hex) of what a tool says about itself; a change means someone should look again. Definitions are immutable
 * by contract, so the answer is kept for as long as the object lives.
 */
export const definitionHash = (definition: ToolDefinition): string => {
  const cached = known.get(definition)
  if (cached !== undefined) return cached
  const fresh = hash('sha256', canonicalJson(pinnedOf(definition)), 'hex')
  known.set(definition, fresh)
  return fresh
}

/** What the hash speaks of, its keys in one order: two that differ in spelling alone are shown alike. */
export const shownDefinition = (definition: ToolDefinition): { readonly hash: string; readonly value: unknown } => ({
  hash: definitionHash(definition),
  value: JSON.parse(canonicalJson(pinnedOf(definition))),
})

const pinnedOf = (definition: ToolDefinition): Readonly<Record<string, unknown>> => {
  const said = Object.fromEntries(pinned.map((field) => [field, definition[field]]))
  const script = scriptIn(definition)
  return script === undefined ? said : { ...said, [scriptHashKey]: script }
}

/** What a stored script does, by its hash: other words of `_meta` are nobody's promise, this one is. */
export const scriptIn = ({ _meta }: ToolDefinition): unknown => _meta?.[scriptHashKey]
