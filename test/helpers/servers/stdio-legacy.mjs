import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createLegacyServer } from './legacy.mjs'
import { createTools } from './tools.mjs'

const server = createLegacyServer(createTools(() => server.sendToolListChanged()))
await server.connect(new StdioServerTransport())
process.stdin.on('end', () => process.exit())
