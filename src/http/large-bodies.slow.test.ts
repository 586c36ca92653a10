import { request } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { sendJson } from './answer.js'
import { createHttpHost } from './host.js'

/** A host whose callers are named by a header, and which counts the large bodies that reached a route. */
const start = async () => {
  const reached: string[] = []
  const host = createHttpHost({
    authenticate: ({ headers }) => ({ caller: { id: String(headers['x-caller']), rights: ['call'] } }),
    largeRequestsPerSecond: 1,
  })
  host.addRoutes([
    {
      method: 'POST',
      path: '/body',
      right: 'call',
      handle: (exchange) =>
        exchange.receive({
          received: (body) => {
            if (body.length > 1) reached.push(exchange.caller.id)
            return sendJson(exchange.response, 200, { bytes: body.length })
          },
        }),
    },
  ])
  const { port } = await host.listen({ port: 0 })
  onTestFinished(() => host.close({ graceMs: 0 }))
  const send = (caller: string, bytes: number) => {
    const asked = request({ port, host: '127.0.0.1', method: 'POST', path: '/body', headers: { 'x-caller': caller } })
    const status = new Promise<number>((resolve) => {
      asked.on('response', (response) => resolve(response.resume().statusCode ?? 0)).on('error', () => resolve(0))
    })
    asked.end(Buffer.alloc(bytes, 0x20))
    return { status, leave: () => asked.destroy() }
  }
  return { send, reached }
}

it('keeps large bodies of one caller unread while others call, and forgets those whose client has left (S6)', async () => {
  const { send, reached } = await start()
  let isBobAbout = true
  const bob = (async () => {
    while (isBobAbout) expect(await send('bob', 1).status).toBe(200)
  })()
  const large = Array.from({ length: 6 }, () => send('ann', 1_000_000))
  expect(await Promise.race(large.map(({ status }) => status))).toBe(200)
  // Others are served while those wait, and one of their own is read at once.
  expect(await send('carl', 1_000_000).status).toBe(200)
  for (const { leave } of large) leave()
  await Promise.all(large.map(({ status }) => status))
  const last = send('ann', 1_000_000)
  isBobAbout = false
  await bob
  expect(await last.status).toBe(200)
  // Those who left while they waited were never carried out, though they stood in line before the last.
  expect(reached.filter((caller) => caller === 'ann').length).toBeLessThan(7)
})
