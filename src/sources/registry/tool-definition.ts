import { defined, isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import { categoryOf, mcpServerKey, type Tool, upstreamOf } from '../../model/tool.js'
import { reading } from './answers.js'
import type { RegistryBoard } from './board.js'
import { bytesOf, shorten, textWithin } from './budget.js'

/** `get_tool_definition`: what is known of a tool, without what is not (002-12, 002-16). */
export const definitionOf = (board: RegistryBoard, tool: Tool, name: string): JsonObject => {
  const { definition, tags, namespace, deferLoading = true } = tool
  const { count, lastUsed } = board.catalog.usage.of(upstreamOf(tool).id)
  const server = namespace === '' ? definition._meta?.[mcpServerKey] : namespace
  return defined({
    name,
    title: definition.title,
    description: definition.description ?? '',
    mcp_server: typeof server === 'string' ? server : undefined,
    defer_loading: deferLoading,
    tags: [...tags],
    category: categoryOf(tool),
    use_frequency: count,
    last_used: lastUsed === null ? undefined : new Date(lastUsed).toISOString(),
    temperature: board.catalog.usage.temperature(upstreamOf(tool).id, Date.now()),
    input_schema: definition.inputSchema,
    output_schema: definition.outputSchema,
    annotations: definition.annotations as JsonObject | undefined,
  })
}

/**
 * The definition where it fits. One that does not comes as an outline, whose cursor leads to the whole as text in parts:
 * joined, they are its JSON.
 */
export const definitionWithin = (whole: JsonObject, cursor: number | undefined, budgetBytes: number): JsonObject => {
  if (cursor === undefined) return bytesOf(whole) <= budgetBytes ? whole : outline(whole, budgetBytes)
  const text = JSON.stringify(whole, null, 2)
  // Escaped once more inside the reply, where quotes and line ends take two bytes each.
  const part = textWithin(text.slice(cursor), Math.floor((budgetBytes - 400) / 1.6))
  const next = cursor + part.length
  return { name: whole.name!, part, ...reading(next < text.length ? String(next) : undefined) }
}

const outline = (whole: JsonObject, budgetBytes: number): JsonObject => {
  const { input_schema, output_schema, description, tags, annotations, ...rest } = whole
  const frame: JsonObject = {
    ...rest,
    description: shorten(String(description), 600),
    tags: Array.isArray(tags) ? tags.slice(0, 10) : [],
    truncated: true,
    whole_bytes: bytesOf(whole),
    next_cursor: '0',
    hint: 'Outline of a long definition. Call again with cursor; the parts joined are its JSON.',
  }
  return { ...frame, input_schema: outlined(input_schema, budgetBytes - bytesOf(frame) - 200) }
}

/** The arguments by name, type and a line of words, what must be given first, as many as fit. */
const outlined = (schema: JsonValue | undefined, budgetBytes: number): JsonObject => {
  const { properties, required } = isRecord(schema) ? schema : {}
  const needed = new Set(Array.isArray(required) ? required.map(String) : [])
  const known = isRecord(properties) ? Object.entries(properties) : []
  const ordered = [...known.filter(([key]) => needed.has(key)), ...known.filter(([key]) => !needed.has(key))]
  const shown: Record<string, JsonValue> = {}
  let left = budgetBytes - bytesOf([...needed].slice(0, 20))
  for (const [key, property] of ordered) {
    const line = lineOf(property)
    left -= bytesOf({ x: { x: { [key]: line } } })
    if (left < 0) break
    shown[key] = line
  }
  return defined({
    type: 'object',
    properties: shown,
    required: needed.size > 0 ? [...needed].slice(0, 20) : undefined,
  })
}

const lineOf = (property: unknown): JsonObject => {
  if (!isRecord(property)) return {}
  const { type, description } = property
  return defined({
    type: typeof type === 'string' ? type : undefined,
    description: typeof description === 'string' ? shorten(description, 120) : undefined,
  })
}
