import { plain } from './types.mjs'

/** Keys that stand instead of others, and so cannot be in an example with them. */
const instead = new Set(['endpoint', 'script'])

/** A value that has every key of a schema: its example, else what it would be anyway. */
export const exampleOf = (schema) => {
  const inner = plain(schema)
  if (inner.examples?.length > 0) return inner.examples[0]
  if (inner.const !== undefined) return inner.const
  if (inner.type === 'boolean') return !(inner.default ?? false)
  if (inner.type === 'array') return [exampleOf(inner.items)]
  if (inner.properties)
    return Object.fromEntries(
      Object.entries(inner.properties)
        .filter(([key]) => !instead.has(key))
        .map(([key, each]) => [key, exampleOf(each)]),
    )
  if (typeof inner.additionalProperties === 'object') return { support: exampleOf(inner.additionalProperties) }
  return inner.default ?? inner.enum?.[0]
}
