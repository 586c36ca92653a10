import { type ErrorCode, GatewayError } from '../errors.js'
import { isRecord, type JsonObject, kindOf } from '../model/json.js'
import type { ToolDefinition } from '../model/tool.js'

const inputNames = ['inputSchema', 'input_schema', 'parameters'] as const
const outputNames = ['outputSchema', 'output_schema'] as const

/**
 * Makes a tool of whatever a file, a peer or a program wrote: MCP's spelling, `input_schema`, or OpenAI's function
 * shape (C2). Fields we do not know stay. `where` names the origin in messages. Throws TOOL_INVALID or SCHEMA_INVALID.
 */
export const parseToolDefinition = (raw: unknown, where = 'tool definition'): ToolDefinition => {
  const fields = unwrapFunction(raw, where)
  const name = parseName(fields.name, where)
  const refuse = refusal(`${where} '${shorten(name)}'`)
  const input = pick(fields, inputNames)
  const output = pick(fields, outputNames)
  const parsed = {
    name,
    inputSchema: parseInput(input, refuse),
    outputSchema: parseSchema(output, refuse),
    title: parseText(fields.title, 'title', refuse),
    description: parseText(fields.description, 'description', refuse),
    annotations: parseObject(fields.annotations, 'annotations', refuse),
    _meta: parseObject(fields._meta, '_meta', refuse),
  }
  return assemble(parsed, fields, [input?.name, output?.name])
}

type Refuse = (code: ErrorCode, path: string, problem: string) => GatewayError
type Picked = { readonly name: string; readonly value: unknown } | undefined

const unwrapFunction = (raw: unknown, where: string): Record<string, unknown> => {
  if (!isRecord(raw)) throw refusal(where)('TOOL_INVALID', '', `a tool must be an object, got ${kindOf(raw)}`)
  if (raw.type !== 'function') return raw
  const { type: _shape, function: inner, ...outer } = raw
  if (inner === undefined) return outer
  if (!isRecord(inner)) throw refusal(where)('TOOL_INVALID', '/function', `must be an object, got ${kindOf(inner)}`)
  return { ...outer, ...inner }
}

const parseName = (name: unknown, where: string): string => {
  if (typeof name !== 'string') {
    const problem = name === undefined ? 'is required: give the tool a name' : `must be a string, got ${kindOf(name)}`
    throw refusal(where)('TOOL_INVALID', '/name', problem)
  }
  if (name === '') throw refusal(where)('TOOL_INVALID', '/name', 'must not be empty: give the tool a name')
  return name
}

const pick = (fields: Record<string, unknown>, names: readonly string[]): Picked => {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (value !== undefined && value !== null) return { name, value }
  }
  return undefined
}

const parseInput = (input: Picked, refuse: Refuse): JsonObject => {
  const schema = parseSchema(input, refuse)
  if (schema === undefined) return { type: 'object' }
  // MCP requires the root to be an object; a root without `type` is common, harmless and means the same.
  if (Array.isArray(schema.type) && schema.type.includes('object')) return { ...schema, type: 'object' }
  if (schema.type !== undefined && schema.type !== 'object') {
    const got = typeof schema.type === 'string' ? `'${shorten(schema.type)}'` : kindOf(schema.type)
    throw refuse('SCHEMA_INVALID', `/${input?.name}/type`, `must be 'object' since arguments are an object, got ${got}`)
  }
  return schema
}

const parseSchema = (picked: Picked, refuse: Refuse): JsonObject | undefined => {
  if (picked === undefined) return undefined
  if (isRecord(picked.value)) return picked.value as JsonObject
  throw refuse('SCHEMA_INVALID', `/${picked.name}`, `must be a JSON Schema object, got ${kindOf(picked.value)}`)
}

const parseText = (value: unknown, field: string, refuse: Refuse): string | undefined => {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  throw refuse('TOOL_INVALID', `/${field}`, `must be a string, got ${kindOf(value)}`)
}

const parseObject = (value: unknown, field: string, refuse: Refuse): JsonObject | undefined => {
  if (value === undefined || value === null) return undefined
  if (isRecord(value)) return value as JsonObject
  throw refuse('TOOL_INVALID', `/${field}`, `must be an object, got ${kindOf(value)}`)
}

/** Known fields first and only when present, then the rest; entries, so that a `__proto__` field stays data. */
const assemble = (
  parsed: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, unknown>>,
  consumed: readonly (string | undefined)[],
): ToolDefinition => {
  const taken = new Set<string | undefined>([...Object.keys(parsed), ...consumed, 'input_schema', 'output_schema'])
  // A null `parameters` was an absent schema, not a field of its own.
  if (fields.parameters === null) taken.add('parameters')
  const known = Object.entries(parsed).filter(([, value]) => value !== undefined)
  const rest = Object.entries(fields).filter(([key]) => !taken.has(key))
  return Object.fromEntries([...known, ...rest]) as unknown as ToolDefinition
}

const refusal =
  (subject: string): Refuse =>
  (code, path, problem) =>
    new GatewayError(code, `Invalid ${subject}${path && ` at '${path}'`}: ${problem}.`, { details: { path } })

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text)
