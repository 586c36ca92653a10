import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeEmbeddings, startFakeEmbeddings } from '../../../test/helpers/fake-embeddings.js'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { createHttpEmbeddings } from './http-provider.js'

let server: FakeEmbeddings
beforeAll(async () => {
  server = await startFakeEmbeddings()
})
afterAll(() => server.close())

const provider = (more: Partial<Parameters<typeof createHttpEmbeddings>[0]> = {}) =>
  createHttpEmbeddings({ url: server.url, model: 'hash-64', apiKey: 'sk-very-secret', ...more })

describe('http embeddings', () => {
  it('asks in batches and gives one vector per text, in order', async () => {
    server.reset()
    const texts = Array.from({ length: 10 }, (_, i) => `text number ${i}`)
    const batched = await provider({ batchSize: 4 }).embed(texts, { kind: 'tool' })
    const whole = await provider().embed(texts, { kind: 'tool' })
    expect(batched).toEqual(whole)
    expect(batched).toHaveLength(10)
    expect(server.requests.map(({ input }) => input.length)).toEqual([4, 4, 2, 10])
  })

  it('sends the key, the model and the prefixes', async () => {
    server.reset()
    await provider({ prefixes: { query: 'query: ' }, dimensions: 64 }).embed(['hello'], { kind: 'query' })
    expect(server.requests[0]).toMatchObject({
      authorization: 'Bearer sk-very-secret',
      body: { model: 'hash-64', dimensions: 64, input: ['query: hello'] },
    })
  })

  it('takes a base or a whole address, and learns the length of vectors', async () => {
    const one = provider({ url: `${server.url}/embeddings` })
    expect(one.dimensions).toBe(0)
    await one.embed(['x'], { kind: 'tool' })
    expect(one.dimensions).toBe(64)
    expect(() => provider({ url: 'ftp://example.com' })).toThrow(/http or https/)
    expect(() => provider({ url: 'nonsense' })).toThrow(/http or https/)
  })

  it.each([
    ['refuse', 'SOURCE_UNAVAILABLE', /answered 401; check its API key/],
    ['fail', 'SOURCE_UNAVAILABLE', /answered 500/],
    ['garbage', 'RESULT_INVALID', /one vector per text/],
    ['short', 'RESULT_INVALID', /one vector per text/],
    ['uneven', 'RESULT_INVALID', /one vector per text/],
    ['flood', 'RESULT_TOO_LARGE', /more than 100000 bytes/],
  ] as const)('explains a service that does %s, without its key', async (mode, code, message) => {
    server.mode = mode
    const failure = await provider({ maxAnswerBytes: 100_000 })
      .embed(['a', 'b'], { kind: 'tool' })
      .catch((error: unknown) => error)
    server.mode = 'answer'
    expect(failure).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(JSON.stringify(failure)).not.toContain('sk-very-secret')
  })

  it('gives up when time is over', async () => {
    const clock = new VirtualClock()
    server.mode = 'hang'
    const failed = provider({ clock, timeoutMs: 5_000 })
      .embed(['a'], { kind: 'tool' })
      .catch((error: unknown) => error)
    await server.nextRequest()
    await clock.advance(5_000)
    server.mode = 'answer'
    expect(await failed).toMatchObject({ code: 'DEADLINE_EXCEEDED' })
    expect(clock.pendingTimers).toBe(0)
  })

  it('stops when the asker leaves', async () => {
    server.mode = 'hang'
    const stop = new AbortController()
    const failed = provider()
      .embed(['a'], { kind: 'query', signal: stop.signal })
      .catch((error: unknown) => error)
    await server.nextRequest()
    stop.abort()
    server.mode = 'answer'
    expect(await failed).toMatchObject({ code: 'CALL_CANCELLED' })
  })

  it('explains a service nobody runs', async () => {
    const gone = await startFakeEmbeddings()
    await gone.close()
    await expect(provider({ url: gone.url }).embed(['a'], { kind: 'tool' })).rejects.toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      message: expect.stringMatching(/cannot be reached/),
    })
  })
})
