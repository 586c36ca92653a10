import type { Gateway } from '../../../gateway.js'
import type { Caller } from '../../../model/caller.js'
import type { JsonObject } from '../../../model/json.js'
import { isRecord } from '../../../model/json.js'
import type { Tool } from '../../../model/tool.js'
import { parseToolDefinition } from '../../../schema/tool-definition.js'
import { checkCategory, checkDescription, checkLimit, checkName, noSuchTool, Refusal } from './refusal.js'
import type { RegisteredSource } from './registered.js'

/** The category a tool is listed in; one without any belongs to its source. */
export const categoryOf = (tool: Tool): string => tool.category ?? (tool.namespace || 'general')

/** `get_tool_definition`: what is known of a tool, without what is not (002-12, 002-16). */
export const definitionOf = (gateway: Gateway, tool: Tool, name: string): JsonObject => {
  const { definition, tags, namespace, deferLoading = true } = tool
  const { count, lastUsed } = gateway.catalog.usage.of(tool.id)
  return {
    name,
    ...(definition.title === undefined ? {} : { title: definition.title }),
    description: definition.description ?? '',
    ...(namespace === '' ? {} : { mcp_server: namespace }),
    defer_loading: deferLoading,
    tags: [...tags],
    category: categoryOf(tool),
    use_frequency: count,
    ...(lastUsed === null ? {} : { last_used: new Date(lastUsed).toISOString() }),
    temperature: gateway.catalog.usage.temperature(tool.id, Date.now()),
    input_schema: definition.inputSchema,
    ...(definition.outputSchema === undefined ? {} : { output_schema: definition.outputSchema }),
    ...(definition.annotations === undefined ? {} : { annotations: definition.annotations as JsonObject }),
  }
}

/** `list_tools_by_category` (002-17). */
export const listByCategory = (
  args: JsonObject,
  gateway: Gateway,
  caller: Caller,
  nameOf: (tool: Tool) => string,
): JsonObject => {
  const category = checkCategory(args.category)
  const limit = checkLimit(args.limit, 20)
  const tools = gateway.list(caller)
  if (category === 'all') return { categories: categoriesOf(tools) }
  const within = tools.filter((tool) => categoryOf(tool) === category)
  return {
    category,
    count: within.length,
    tools: within
      .slice(0, limit)
      .map((tool) => ({ name: nameOf(tool), description: tool.definition.description ?? '', tags: [...tool.tags] })),
  }
}

export const categoriesOf = (tools: readonly Tool[]): string[] => [...new Set(tools.map(categoryOf))].sort()

/** `register_tool` (002-18): kept and found, refused if the name is taken. */
export const registerTool = (args: JsonObject, registered: RegisteredSource, gateway: Gateway): JsonObject => {
  const given = isRecord(args.tool_def) ? { ...args.tool_def, ...args } : args
  const name = checkName(given.name)
  const description = checkDescription(given.description)
  if (gateway.catalog.find(name) || registered.has(name)) throw new Refusal(`工具已存在: ${name}`)
  const tags = textsIn(given.tags)
  const category = typeof given.category === 'string' && given.category !== '' ? given.category : undefined
  const aliases = textsIn(given.aliases)
  const examples = textsIn(given.examples)
  registered.add({
    definition: parseToolDefinition({
      name,
      description,
      inputSchema: given.input_schema ?? given.inputSchema ?? { type: 'object' },
      ...((given.output_schema ?? given.outputSchema)
        ? { outputSchema: given.output_schema ?? given.outputSchema }
        : {}),
      ...(typeof given.mcp_server === 'string' ? { _meta: { 'pegboard/mcp_server': given.mcp_server } } : {}),
    }),
    tags,
    ...(category === undefined ? {} : { category }),
    ...(aliases.length > 0 ? { aliases } : {}),
    ...(examples.length > 0 ? { examples } : {}),
  })
  return {
    success: true,
    message: `工具已注册: ${name}`,
    tool: { name, description, category: category ?? null, tags },
  }
}

export const unregisterTool = (args: JsonObject, registered: RegisteredSource): JsonObject => {
  const name = checkName(args.tool_name)
  if (!registered.remove(name)) throw noSuchTool(name)
  return { success: true, tool_name: name, message: `工具 '${name}' 已成功注销` }
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

/** `registry://stats`. */
export const statsOf = (gateway: Gateway, caller: Caller, nameOf: (tool: Tool) => string): JsonObject => {
  const tools = gateway.list(caller)
  const used = tools
    .map((tool) => ({ tool, count: gateway.catalog.usage.of(tool.id).count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, 5)
  const categories = categoriesOf(tools)
  return {
    total_tools: tools.length,
    total_categories: categories.length,
    categories,
    most_used: used.map(({ tool, count }) => ({
      name: nameOf(tool),
      description: tool.definition.description ?? '',
      use_count: count,
    })),
  }
}
