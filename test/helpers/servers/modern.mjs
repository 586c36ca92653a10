// A server of SDK v2 around the fixture tools. The SDK wants a fresh one per request.
import { Server } from '@modelcontextprotocol/server'

export const createModernServer = (tools) => {
  const server = new Server(
    { name: 'fixture-modern', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  )
  server.setRequestHandler('tools/list', () => ({ tools: tools.list() }))
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    const progress = async (value) => {
      if (progressToken !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...value } })
    }
    return tools.call(params.name, params.arguments, { signal: mcpReq.signal, progress })
  })
  return server
}
