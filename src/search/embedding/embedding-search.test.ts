import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeEmbeddings, hashEmbedding, startFakeEmbeddings } from '../../../test/helpers/fake-embeddings.js'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import type { Tool } from '../../model/tool.js'
import { createSearch, type SearchOptions } from '../search.js'
import { createHttpEmbeddings } from './http-provider.js'
import type { EmbeddingProvider } from './provider.js'
import { createMemoryVectorCache } from './vector-cache.js'

let server: FakeEmbeddings
beforeAll(async () => {
  server = await startFakeEmbeddings()
})
afterAll(() => server.close())

const tool = (id: string, description: string): Tool => ({
  id,
  name: id,
  namespace: '',
  source: '',
  tags: [],
  definition: { name: id, description, inputSchema: {} },
})

const animals = [tool('t1', 'cat'), tool('t2', 'car'), tool('t3', 'weather forecast')]

const searchOver = (tools: readonly Tool[], options: SearchOptions = {}) => {
  const embedding = createHttpEmbeddings({ url: server.url, model: 'hash-64' })
  const search = createSearch({ embedding, ...options })
  search.apply({ added: tools, changed: [], removed: [] })
  return search
}

const first = ({ results }: { readonly results: readonly { readonly tool: Tool }[] }) => results[0]?.tool.id

const unreachable: EmbeddingProvider = {
  id: 'never',
  dimensions: 64,
  embed: () => new Promise(() => {}),
}

const local: EmbeddingProvider = {
  id: 'local',
  dimensions: 64,
  embed: async (texts) => texts.map((text) => Float32Array.from(hashEmbedding(text))),
  embedSync: (texts) => texts.map((text) => Float32Array.from(hashEmbedding(text))),
}

describe('search by embedding', () => {
  it('finds by meaning what shares no word, and says why', async () => {
    const search = searchOver(animals)
    await search.ready()
    expect(search.searchSync('feline', { method: 'bm25' }).results).toEqual([])
    const outcome = await search.search('feline', { method: 'embedding' })
    expect(outcome).toMatchObject({ method: 'embedding', results: [{ tool: { id: 't1' }, matchReason: 'meaning' }] })
    expect(first(await search.search('sedan'))).toBe('t2')
  })

  it('lets words lead in auto', async () => {
    const search = searchOver([tool('a', 'kitten'), tool('b', 'forecast for a feline')])
    await search.ready()
    const { results } = await search.search('feline forecast')
    expect(results[0]).toMatchObject({ tool: { id: 'b' }, matchReason: 'description, meaning' })
    for (const { score } of results) expect(score >= 0 && score <= 1).toBe(true)
  })

  it('embeds a changed tool anew, forgets a removed one, and asks for no text twice', async () => {
    server.reset()
    const vectorCache = createMemoryVectorCache()
    const search = searchOver(animals, { vectorCache })
    await search.ready()
    search.apply({ added: [], changed: [tool('t2', 'kitten')], removed: [animals[0]!] })
    await search.ready()
    expect(first(await search.search('feline', { method: 'embedding' }))).toBe('t2')
    const asked = server.requests.flatMap(({ input }) => input).length
    const again = searchOver(animals, { vectorCache })
    await again.ready()
    await search.search('feline', { method: 'embedding' })
    expect(server.requests.flatMap(({ input }) => input).length).toBe(asked)
  })

  it('falls back to words with a notice when the service fails', async () => {
    server.mode = 'fail'
    const search = searchOver(animals)
    await expect(search.ready()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
    for (const method of ['embedding', 'auto']) {
      const outcome = await search.search('weather', { method })
      expect(outcome).toMatchObject({ method: 'auto', results: [{ tool: { id: 't3' } }] })
      expect(outcome.notice).toMatch(/not available/)
    }
    server.mode = 'answer'
  })

  it('tries a failed service again after a rest', async () => {
    const clock = new VirtualClock()
    server.mode = 'fail'
    const search = searchOver(animals, { clock })
    await expect(search.ready()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
    server.mode = 'answer'
    await expect(search.ready()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
    await clock.advance(15_000)
    await search.ready()
    expect(first(await search.search('feline', { method: 'embedding' }))).toBe('t1')
  })

  it('waits no longer than it may, then goes on with words', async () => {
    const clock = new VirtualClock()
    const search = searchOver(animals, { clock, embedding: unreachable, embeddingWaitMs: 500 })
    const pending = search.search('weather')
    await clock.advance(500)
    const outcome = await pending
    expect(outcome).toMatchObject({ method: 'auto', results: [{ tool: { id: 't3' } }] })
    expect(outcome.notice).toMatch(/not available/)
    expect(clock.pendingTimers).toBe(0)
  })

  it('ends when the asker leaves', async () => {
    const search = searchOver(animals, { embedding: unreachable })
    const stop = new AbortController()
    const pending = search.search('weather', { signal: stop.signal }).catch((error: unknown) => error)
    stop.abort()
    expect(await pending).toMatchObject({ code: 'CALL_CANCELLED' })
  })

  it('keeps hidden tools out (Q128)', async () => {
    const search = searchOver(animals)
    await search.ready()
    const outcome = await search.search('feline', { method: 'embedding', accept: ({ id }) => id !== 't1' })
    expect(outcome.results.map(({ tool }) => tool.id)).not.toContain('t1')
  })

  it('finds nothing for what is unrelated to everything', async () => {
    const search = searchOver([tool('only', 'cat')], { embedding: { ...local, unrelated: 0.9 } })
    expect(await search.search('weather in spring', { method: 'embedding' })).toMatchObject({
      results: [],
      notice: expect.stringMatching(/No tool matches/),
    })
  })

  it('works at once with a model in our own process', () => {
    const search = searchOver(animals, { embedding: local })
    expect(first(search.searchSync('feline', { method: 'embedding' }))).toBe('t1')
    expect(first(search.searchSync('sedan'))).toBe('t2')
    expect(() => searchOver(animals).searchSync('x', { method: 'embedding' })).toThrow(/cannot be used synchronously/)
  })

  it('matches words while a model of our own reads many tools, and lets other work in between', async () => {
    const many = Array.from({ length: 3_000 }, (_, i) => tool(`other${i}`, `thing number ${i}`))
    const embedded: number[] = []
    const embedSync: EmbeddingProvider['embedSync'] = (texts, options) => {
      embedded.push(texts.length)
      return local.embedSync!(texts, options)
    }
    const search = searchOver([...many, ...animals], { embedding: { ...local, embedSync } })
    const early = await search.search('feline weather')
    expect(early).toMatchObject({ method: 'auto', results: [{ tool: { id: 't3' }, matchReason: 'description' }] })
    expect(early.notice).toMatch(/Search again/)
    await search.ready()
    expect(Math.max(...embedded)).toBe(64)
    const later = await search.search('feline')
    expect(first(later)).toBe('t1')
    expect(later.notice).toBeUndefined()
    expect(first(await search.search('feline', { method: 'embedding' }))).toBe('t1')
  })

  it('reaches every tool in the end when only asked synchronously', () => {
    const many = Array.from({ length: 3_000 }, (_, i) => tool(`other${i}`, `thing number ${i}`))
    const search = searchOver([...many, ...animals], { embedding: local })
    expect(search.searchSync('feline').notice).toMatch(/Search again/)
    expect(first(search.searchSync('feline'))).toBe('t1')
  })

  it('takes another fusion', async () => {
    const search = searchOver([tool('a', 'cat'), tool('b', 'feline')], {
      embedding: local,
      fusion: ({ lexical, similarity = 0 }) => (lexical === 0 ? similarity : 0),
    })
    expect(first(await search.search('feline'))).toBe('a')
  })

  it('refuses a provider that gives too few vectors', async () => {
    const search = searchOver(animals, { embedding: { id: 'few', dimensions: 64, embed: async () => [] } })
    await expect(search.ready()).rejects.toMatchObject({ code: 'RESULT_INVALID' })
  })
})
