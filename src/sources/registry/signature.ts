import { isRecord } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'

const mostParameters = 8

/**
 * A tool's arguments on one line, such as `add(a: number, b?: number)`. Enough for a model to call most tools without
 * asking for the schema, at a tenth of its tokens.
 */
export const signatureOf = (tool: Tool, name: string): string => {
  const { properties, required } = tool.definition.inputSchema
  const known = isRecord(properties) ? Object.entries(properties) : []
  const needed = new Set(Array.isArray(required) ? required.map(String) : [])
  // What must be given comes first: a long list is cut at its optional end.
  const ordered = [...known.filter(([key]) => needed.has(key)), ...known.filter(([key]) => !needed.has(key))]
  const shown = ordered
    .slice(0, mostParameters)
    .map(([key, schema]) => `${key}${needed.has(key) ? '' : '?'}: ${typeOf(schema)}`)
  const rest = ordered.length > mostParameters ? [`… ${ordered.length - mostParameters} more`] : []
  return `${name}(${[...shown, ...rest].join(', ')})`
}

const typeOf = (schema: unknown): string => {
  if (!isRecord(schema)) return 'any'
  if (Array.isArray(schema.enum)) return oneOf(schema.enum)
  if ('const' in schema) return JSON.stringify(schema.const).slice(0, 30)
  if (schema.type === 'array') return `${typeOf(schema.items)}[]`
  if (Array.isArray(schema.type)) return schema.type.join('|')
  if (typeof schema.type === 'string') return schema.type
  const choices = schema.anyOf ?? schema.oneOf
  return Array.isArray(choices) ? [...new Set(choices.map(typeOf))].join('|') : 'any'
}

const oneOf = (values: readonly unknown[]): string => {
  const shown = values.slice(0, 6).map((value) => JSON.stringify(value).slice(0, 24))
  return values.length > 6 ? `${shown.join('|')}|…` : shown.join('|')
}
