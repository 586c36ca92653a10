import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createOffer } from './board.mjs'
import { Sessions } from './legacy.mjs'

const sessions = new Sessions()
await sessions.begin(createOffer(sessions.told)).connect(new StdioServerTransport())
process.stdin.on('end', () => process.exit())
