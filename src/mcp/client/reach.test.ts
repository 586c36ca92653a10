import { createServer } from 'node:http'
import { type AddressInfo, connect as connectTcp } from 'node:net'
import { describe, expect, it } from 'vitest'
import { clean, connect, listen, modern, result, serve } from '../../../test/helpers/scripted-source.js'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { createHttpTransport } from './http-transport.js'
import { createClientPeer } from './peer.js'
import { createSseTransport } from './sse-transport.js'

describe('HTTP+SSE', () => {
  const open = async (first: string, headers: Record<string, string> = { 'content-type': 'text/event-stream' }) => {
    const url = await listen((_request, response) => void response.writeHead(200, headers).write(first))
    const clock = new VirtualClock()
    const peer = createClientPeer(createSseTransport({ url, clock }), { clientInfo: { name: 't', version: '1' } })
    clean.push(() => peer.close())
    return { peer, clock }
  }

  it('refuses an endpoint at another origin', async () => {
    const { peer } = await open('event: endpoint\ndata: http://evil.test/messages\n\n')
    await expect(peer.connect()).rejects.toMatchObject({ code: 'RESULT_INVALID' })
  })

  it('gives up on a stream that names no endpoint', async () => {
    const { peer, clock } = await open(': hello\n\n')
    const refused = expect(peer.connect()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', notSent: true })
    await clock.advance(10_000)
    await refused
  })

  it('says so when it is no event stream', async () => {
    const url = await listen(
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    )
    const peer = createClientPeer(createSseTransport({ url }), { clientInfo: { name: 't', version: '1' } })
    await expect(peer.connect()).rejects.toMatchObject({ code: 'RESULT_INVALID' })
  })
})

describe('the url', () => {
  it.each(['file:///etc/passwd', 'ftp://x', 'nonsense', 'http://[::1'])('%s is refused', (url) => {
    expect(() => createHttpTransport({ url })).toThrow(/http:\/\/ or https:\/\//)
  })

  it('must not hold credentials, which the refusal does not repeat', () => {
    expect(() => createHttpTransport({ url: 'http://user:hunter2@x' })).toThrow(/^(?!.*hunter2).*Authorization header/)
  })
})

describe('a proxy', () => {
  it('carries the requests where one is named', async () => {
    const targets: string[] = []
    const url = await serve(modern((message, response) => result(response, message.id, { through: true })))
    const proxy = createServer()
    proxy.on('connect', (request, socket) => {
      targets.push(request.url!)
      const [host, port] = request.url!.split(':')
      const upstream = connectTcp(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        socket.pipe(upstream).pipe(socket)
      })
      upstream.on('error', () => {})
      socket.on('error', () => {})
      clean.push(() => upstream.destroy())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    clean.push(() => proxy.close())
    const peer = connect(url, {}, { proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` })
    expect(await peer.request('tools/list')).toEqual({ through: true })
    expect(targets[0]).toBe(new URL(url).host)
  })
})
