import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createModernServer } from './modern.mjs'
import { createTools } from './tools.mjs'

let server
const tools = createTools(() => server.sendToolListChanged())
serveStdio(
  () => {
    server = createModernServer(tools)
    return server
  },
  { legacy: 'reject' },
)
process.stdin.on('end', () => process.exit())
