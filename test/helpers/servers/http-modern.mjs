import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { createOffer } from './board.mjs'
import { listen } from './listen.mjs'
import { createModernServer } from './modern.mjs'

const offer = createOffer({
  toolsChanged: () => handler.notify.toolsChanged(),
  promptsChanged: () => handler.notify.promptsChanged(),
  updated: (uri) => handler.notify.resourceUpdated(uri),
})
const handler = createMcpHandler(() => createModernServer(offer), { legacy: 'reject' })
await listen(offer, toNodeHandler(handler))
