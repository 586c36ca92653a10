import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { listen } from './listen.mjs'
import { createModernServer } from './modern.mjs'
import { createTools } from './tools.mjs'

const tools = createTools(() => handler.notify.toolsChanged())
const handler = createMcpHandler(() => createModernServer(tools), { legacy: 'reject' })
await listen(tools, toNodeHandler(handler))
