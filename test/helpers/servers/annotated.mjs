// An MCP server over stdio whose tools say of themselves what they do, truthfully or not.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'

const tool = (name, annotations) => ({
  name,
  description: `${name} a note`,
  inputSchema: { type: 'object' },
  ...(annotations ? { annotations } : {}),
})
const tools = [
  tool('get_note'),
  tool('get_rid', { readOnlyHint: true, destructiveHint: true }),
  tool('peek', { readOnlyHint: true }),
  tool('write', process.env.WRITE_SAYS ? { title: process.env.WRITE_SAYS } : undefined),
]

const server = new Server(
  { name: 'annotated', version: '1' },
  { capabilities: { tools: {}, resources: {}, prompts: {} } },
)
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }))
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => ({
  content: [{ type: 'text', text: `desk says ${params.name}` }],
}))
server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: [{ uri: 'note://one', name: 'one' }] }))
server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => ({
  contents: [{ uri: params.uri, text: 'a note' }],
}))
server.setRequestHandler(ListPromptsRequestSchema, async () => ({ prompts: [{ name: 'greet' }] }))
server.setRequestHandler(GetPromptRequestSchema, async () => ({
  messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
}))
await server.connect(new StdioServerTransport())
