import { describe, expect, it } from 'vitest'
import { connect, event, json, modern, result, serve, sse } from '../../../test/helpers/scripted-source.js'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'

describe('listAll', () => {
  const pages = (page: (cursor: unknown) => unknown) =>
    serve(modern((message, response) => result(response, message.id, page(message.params?.cursor))))

  it('refuses a list that names a cursor twice, or never ends (R66)', async () => {
    await expect(
      connect(await pages(() => ({ tools: [], nextCursor: 'x' }))).listAll('tools/list', 'tools'),
    ).rejects.toMatchObject({ code: 'RESULT_INVALID' })
    const counting = await pages((cursor) => ({ tools: [{}], nextCursor: String(Number(cursor ?? 0) + 1) }))
    await expect(connect(counting).listAll('tools/list', 'tools', { maxPages: 20 })).rejects.toMatchObject({
      code: 'RESULT_INVALID',
    })
    await expect(connect(counting).listAll('tools/list', 'tools', { maxItems: 20 })).rejects.toMatchObject({
      code: 'LIST_TOO_LARGE',
    })
    await expect(connect(counting).listAll('tools/list', 'tools', { maxBytes: 500 })).rejects.toMatchObject({
      code: 'LIST_TOO_LARGE',
    })
    await expect(connect(await pages(() => ({ tools: 3 }))).listAll('tools/list', 'tools')).rejects.toMatchObject({
      code: 'RESULT_INVALID',
    })
  })

  it('takes the empty cursor for one, and the narrowest caching of all pages', async () => {
    const url = await pages((cursor) =>
      cursor === ''
        ? { tools: [{ name: 'b' }, null, 'x'], ttlMs: 5, cacheScope: 'private' }
        : { tools: [{ name: 'a' }], nextCursor: '', ttlMs: 60_000, cacheScope: 'public' },
    )
    expect(await connect(url).listAll('tools/list', 'tools')).toEqual({
      items: [{ name: 'a' }, { name: 'b' }],
      pages: 2,
      ttlMs: 5,
      cacheScope: 'private',
    })
  })
})

describe('listen', () => {
  it('listens again after a drop, and asks for a fresh list', async () => {
    const clock = new VirtualClock()
    let listens = 0
    let resyncs = 0
    const heard: string[] = []
    const url = await serve(
      modern((_message, response) => {
        const stream = sse(response)
        stream.write(event({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: {} }))
        stream.end(event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { n: ++listens } }))
      }),
    )
    const peer = connect(url, { clock, onResync: () => resyncs++, onNotification: ({ method }) => heard.push(method) })
    const stop = peer.listen({ toolsListChanged: true })
    while (listens < 3) await clock.advance(500)
    stop()
    expect(resyncs).toBeGreaterThanOrEqual(1)
    expect(new Set(heard)).toEqual(new Set(['notifications/tools/list_changed']))
  })

  it('stops where the source does not know it', async () => {
    const clock = new VirtualClock()
    let listens = 0
    const url = await serve(
      modern((message, response) => {
        listens++
        json(response, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'm' } }, 404)
      }),
    )
    const peer = connect(url, { clock })
    peer.listen({ toolsListChanged: true })
    while (listens < 1) await clock.advance(100)
    await peer.ping()
    await clock.advance(600_000)
    expect(listens).toBe(1)
  })
})
