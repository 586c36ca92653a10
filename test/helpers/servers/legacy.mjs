// A server of SDK v1 around the fixture tools. One per session: the SDK ties a server to one transport.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

export const createLegacyServer = (tools) => {
  const server = new Server(
    { name: 'fixture-legacy', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.list() }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal, sendNotification }) => {
    const progressToken = params._meta?.progressToken
    const progress = async (value) => {
      if (progressToken !== undefined)
        await sendNotification({ method: 'notifications/progress', params: { progressToken, ...value } })
    }
    return tools.call(params.name, params.arguments, { signal, progress })
  })
  return server
}
