// Binds a fixture to loopback and tells the test that forked it where.
import { createServer } from 'node:http'

export const listen = async (handle) => {
  const server = createServer(handle)
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  process.on('disconnect', () => process.exit())
  process.send?.({ url: `http://127.0.0.1:${server.address().port}/mcp` })
}
