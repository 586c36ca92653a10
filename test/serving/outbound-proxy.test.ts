import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { openRunning } from './open-running.js'

/** Who comes to a proxy, and where they want to go. */
const openProxy = async () => {
  const wanted: string[] = []
  const server = createServer((request, response) => {
    wanted.push(request.url ?? '')
    response.writeHead(502).end()
  })
  server.on('connect', (request, socket) => {
    wanted.push(request.url ?? '')
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { wanted, url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

const source = { far: { type: 'http', url: 'http://tools.invalid/mcp' } }

it('outbound.proxy is the way to sources that are addresses, and off is none', { timeout: 30_000 }, async () => {
  const proxy = await openProxy()
  const open = async (outbound: object) => {
    const running = await openRunning({ sources: source, outbound })
    await running.board.settled()
    await running[Symbol.asyncDispose]()
  }
  await open({ proxy: proxy.url })
  expect(proxy.wanted[0]).toContain('tools.invalid')
  proxy.wanted.length = 0
  await open({ proxy: 'off' })
  expect(proxy.wanted).toEqual([])
  proxy.close()
})
