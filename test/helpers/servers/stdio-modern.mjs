import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createOffer } from './board.mjs'
import { createModernServer } from './modern.mjs'

let server
const offer = createOffer({
  toolsChanged: () => server.sendToolListChanged(),
  promptsChanged: () => server.sendPromptListChanged(),
  updated: (uri) => server.sendResourceUpdated({ uri }),
})
serveStdio(
  () => {
    server = createModernServer(offer)
    return server
  },
  { legacy: 'reject' },
)
process.stdin.on('end', () => process.exit())
