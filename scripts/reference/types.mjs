import { code } from './markdown.mjs'

/** Behind the form that lets a number or a switch also be given by a `${VARIABLE}`. */
export const plain = (schema) => {
  const [first, second] = schema?.anyOf ?? []
  if (!second?.pattern?.includes('\\$\\{')) return schema
  const { anyOf, ...rest } = schema
  return { ...rest, ...first }
}

/** Whether a value has keys of its own that the reference should explain. */
export const isSection = (schema) => {
  const inner = plain(schema)
  if (inner === undefined || typeof inner !== 'object') return false
  if (inner.type === 'array') return isSection(inner.items) && (inner.examples ?? []).length === 0
  if ((inner.examples ?? []).length > 0) return false
  return inner.properties !== undefined || isSection(inner.additionalProperties)
}

/** What a value may be, in words, with its bounds. */
export const typeOf = (schema) => {
  const inner = plain(schema)
  if (inner.const !== undefined) return code(inner.const)
  if (inner.enum) return inner.enum.map(code).join(', ')
  if (inner.type === 'boolean') return '`true`, `false`'
  if (inner.type === 'integer' || inner.type === 'number') return `whole number${rangeOf(inner)}`
  if (inner.type === 'string') return `text${lengthOf(inner)}`
  if (inner.type === 'array')
    return `list${inner.maxItems ? ` of at most ${inner.maxItems}` : ''}: ${itemOf(inner.items)}`
  return 'object'
}

// Bounds that only say "any that a program can hold" would be noise.
const boundless = 1_000_000_000

const rangeOf = ({ minimum, maximum }) => {
  if (maximum === undefined || maximum >= boundless) return minimum === undefined ? '' : ` from ${minimum}`
  return `, ${minimum} to ${maximum}`
}

const lengthOf = ({ minLength = 0, maxLength }) => {
  if (maxLength === undefined) return ''
  if (minLength === maxLength) return ` of ${maxLength} character${maxLength === 1 ? '' : 's'}`
  return minLength > 1 ? `, ${minLength} to ${maxLength} characters` : `, at most ${maxLength} characters`
}

const itemOf = (schema) => (plain(schema).type === 'string' ? 'texts' : 'objects')
