// Binds a fixture server to loopback and talks with the test that forked it: the address out, `reset` in.
import { createServer } from 'node:http'

export const listen = async (tools, handle, path = '/mcp') => {
  const server = createServer(handle)
  await new Promise((resolve) => server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', resolve))
  process.on('message', () => {
    tools.reset()
    process.send?.('reset')
  })
  process.on('disconnect', () => process.exit())
  process.send?.({ url: `http://127.0.0.1:${server.address().port}${path}` })
  return server
}
