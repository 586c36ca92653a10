import { describe, expect, it } from 'vitest'
import { hashEmbedding } from '../../../test/helpers/fake-embeddings.js'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { GatewayError } from '../../errors.js'
import { createGateway } from '../../gateway.js'
import type { Tool } from '../../model/tool.js'
import { createSearch } from '../search.js'
import type { EmbeddingProvider } from './provider.js'

const tool = (id: string, description: string): Tool => ({
  id,
  name: id,
  namespace: '',
  source: '',
  tags: [],
  definition: { name: id, description, inputSchema: {} },
})
const tools = [tool('t1', 'send a parcel'), tool('t2', 'send a letter'), tool('t3', 'weather forecast')]

const first: EmbeddingProvider = {
  id: 'first',
  dimensions: 64,
  embed: async (texts) => texts.map((text) => Float32Array.from(hashEmbedding(text))),
  embedSync: (texts) => texts.map((text) => Float32Array.from(hashEmbedding(text))),
}

/** A model that knows one thing: which tool is meant. */
const knowing = (word: string, more: Partial<EmbeddingProvider> = {}): EmbeddingProvider => ({
  id: `knows ${word}`,
  dimensions: 2,
  embed: async (texts, { kind }) =>
    texts.map((text) => (kind === 'query' || text.includes(word) ? Float32Array.of(1, 0) : Float32Array.of(0, 1))),
  ...more,
})

const searchWith = (beside: EmbeddingProvider, clock = new VirtualClock()) => {
  const search = createSearch({ embedding: first, beside, clock })
  search.apply({ added: tools, changed: [], removed: [] })
  return search
}
const order = ({ results }: { readonly results: readonly { readonly tool: Tool }[] }) =>
  results.map((each) => each.tool.id)

describe('a second model beside the first', () => {
  it('decides between what words and the first find alike', async () => {
    for (const [word, wanted] of [
      ['letter', 't2'],
      ['parcel', 't1'],
    ] as const) {
      const search = searchWith(knowing(word))
      await search.ready()
      const outcome = await search.search('send something')
      expect(order(outcome)[0]).toBe(wanted)
      expect(outcome.notice).toBe((await createdAlone().search('send something')).notice)
      for (const { score } of outcome.results) expect(score >= 0 && score <= 1).toBe(true)
    }
  })

  it('brings in nothing that neither words nor the first found', async () => {
    const search = searchWith(knowing('weather'))
    await search.ready()
    expect(order(await search.search('send something')).sort()).toEqual(
      order(await createdAlone().search('send something')).sort(),
    )
  })

  it('is waited for by nobody while it reads the tools, and changes nothing until it has read all', async () => {
    let read = (_vectors: readonly Float32Array[]): void => {}
    const slow = knowing('letter', {
      embed: (texts, { kind }) =>
        kind === 'query'
          ? Promise.resolve(texts.map(() => Float32Array.of(1, 0)))
          : new Promise((resolve) => {
              read = () =>
                resolve(texts.map((text) => (text.includes('letter') ? Float32Array.of(1, 0) : Float32Array.of(0, 1))))
            }),
    })
    const search = searchWith(slow)
    expect(await search.search('send something')).toEqual(await createdAlone().search('send something'))
    await expect.poll(() => read.length).toBe(0)
    read([])
    await search.ready()
    expect(order(await search.search('send something'))[0]).toBe('t2')
  })

  it('that fails leaves everything as it is without it, and is tried again after a rest', async () => {
    const clock = new VirtualClock()
    let isThere = false
    const away = knowing('letter', {
      embed: (texts, options) =>
        isThere
          ? knowing('letter').embed(texts, options)
          : Promise.reject(new GatewayError('SOURCE_UNAVAILABLE', 'The model is not there.')),
    })
    const search = searchWith(away, clock)
    await expect(search.ready()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
    const alone = await createdAlone().search('send something')
    expect(await search.search('send something')).toEqual(alone)
    isThere = true
    await clock.advance(15_000)
    await search.ready()
    expect(order(await search.search('send something'))[0]).toBe('t2')
    isThere = false
    expect(await search.search('send another thing')).toEqual(await createdAlone().search('send another thing'))
  })

  it('takes part in embedding alone as well, and never in bm25', async () => {
    const search = searchWith(knowing('letter'))
    await search.ready()
    expect(order(await search.search('send something', { method: 'embedding' }))[0]).toBe('t2')
    expect(await search.search('send something', { method: 'bm25' })).toEqual(
      await createdAlone().search('send something', { method: 'bm25' }),
    )
  })

  it('is closed with the gateway', async () => {
    const closed: string[] = []
    const closing = (id: string): EmbeddingProvider => ({ ...knowing(id), close: async () => void closed.push(id) })
    const gateway = createGateway({ search: { embedding: closing('one'), beside: closing('two') } })
    await gateway.close()
    expect(closed).toEqual(['one', 'two'])
  })
})

const createdAlone = () => {
  const search = createSearch({ embedding: first })
  search.apply({ added: tools, changed: [], removed: [] })
  return search
}
