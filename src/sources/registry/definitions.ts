import type { ToolDefinition } from '../../model/tool.js'

/** The tools by which a board is searched (document 002), by name. */
export type RegistryToolName =
  | 'search_tools'
  | 'get_tool_definition'
  | 'call_tool'
  | 'list_tools_by_category'
  | 'search_hot_tools'
  | 'register_tool'
  | 'unregister_tool'

const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const
const text = (description: string) => ({ type: 'string', description }) as const
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description }) as const
const limit = (standard: number) => ({ type: 'integer', description: '1 to 100', default: standard }) as const
// `method`, the diagram's spelling, is taken too (002-18) but not advertised: everybody would pay for it.
const method = text('auto (default), bm25, regex or embedding')

const queries = texts('Several needs at once, instead of query')
const cursor = text('next_cursor of the last answer')

/**
 * Their definitions. Short, since every client pays for them in every conversation. Limits are said in words and checked
 * where they are used: document 002 promises error texts of its own for them.
 */
export const registryDefinitions: Readonly<Record<RegistryToolName, ToolDefinition>> = {
  search_tools: {
    name: 'search_tools',
    description:
      'Finds tools by what they do, in English or Chinese. Say one need per search: an action and an object.',
    inputSchema: {
      type: 'object',
      properties: { query: text('What the tool should do'), queries, search_method: method, limit: limit(5), cursor },
    },
    annotations: readOnly,
  },
  get_tool_definition: {
    name: 'get_tool_definition',
    description: 'The full definition of a tool, with the JSON Schema of its arguments.',
    inputSchema: {
      type: 'object',
      properties: { tool_name: text('As search_tools gave it'), cursor },
      required: ['tool_name'],
    },
    annotations: readOnly,
  },
  call_tool: {
    name: 'call_tool',
    description: 'Calls a tool that search_tools found.',
    inputSchema: {
      type: 'object',
      properties: {
        tool_name: text('As search_tools gave it'),
        arguments: { type: 'object', description: 'Its arguments' },
      },
      required: ['tool_name'],
    },
  },
  list_tools_by_category: {
    name: 'list_tools_by_category',
    description: 'The tools of one category; "all" gives the categories.',
    inputSchema: {
      type: 'object',
      properties: { category: text('A category, or "all"'), limit: limit(20), cursor },
      required: ['category'],
    },
    annotations: readOnly,
  },
  search_hot_tools: {
    name: 'search_hot_tools',
    description: 'Like search_tools, among the tools that are used often.',
    inputSchema: {
      type: 'object',
      properties: { query: text('What the tool should do'), queries, search_method: method, limit: limit(5), cursor },
    },
    annotations: readOnly,
  },
  register_tool: {
    name: 'register_tool',
    description: 'Adds a definition to the registry, so that it can be found. It is kept, not run.',
    inputSchema: {
      type: 'object',
      properties: {
        name: text('Unique'),
        description: text('What it does'),
        category: text('Group'),
        tags: texts('Words'),
        aliases: texts('Other names'),
        examples: texts('Sentences that should find it'),
        input_schema: { type: 'object', description: 'JSON Schema' },
        output_schema: { type: 'object', description: 'JSON Schema' },
        mcp_server: text('Where it can be called'),
        tools: { type: 'array', items: { type: 'object' }, description: 'Several at once, instead of the above' },
      },
    },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  },
  unregister_tool: {
    name: 'unregister_tool',
    description: 'Removes a definition that was added with register_tool.',
    inputSchema: { type: 'object', properties: { tool_name: text('Its name') }, required: ['tool_name'] },
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  },
}
