import { describe, expect, it } from 'vitest'
import { createTransformersEmbeddings } from './transformers-provider.js'

describe('transformers embeddings', () => {
  it('says what to install when the package is absent', async () => {
    await expect(createTransformersEmbeddings({ model: 'any' }).embed(['a'], { kind: 'tool' })).rejects.toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      message: expect.stringMatching(/npm install @huggingface\/transformers/),
    })
  })

  it('says which model could not be fetched, and tries again', async () => {
    let attempts = 0
    const provider = createTransformersEmbeddings({
      model: 'nobody/nothing',
      load: async () => ({
        pipeline: async () => {
          attempts += 1
          throw new Error('fetch failed')
        },
      }),
    })
    for (let i = 0; i < 2; i++) {
      await expect(provider.embed(['a'], { kind: 'query' })).rejects.toThrow(
        /'nobody\/nothing' could not be loaded \(fetch failed\)/,
      )
    }
    expect(attempts).toBe(2)
  })

  it('embeds in batches with prefixes, loading the model once', async () => {
    const seen: string[][] = []
    let loads = 0
    const provider = createTransformersEmbeddings({
      model: 'm',
      batchSize: 2,
      prefixes: { tool: 'passage: ' },
      load: async () => {
        loads += 1
        return {
          pipeline: async () => async (texts: string[]) => {
            seen.push(texts)
            return { dims: [texts.length, 2], data: texts.flatMap((text) => [text.length, 1]) }
          },
        }
      },
    })
    const vectors = await provider.embed(['a', 'bb', 'ccc'], { kind: 'tool' })
    expect(vectors).toEqual([Float32Array.of(10, 1), Float32Array.of(11, 1), Float32Array.of(12, 1)])
    expect(seen).toEqual([['passage: a', 'passage: bb'], ['passage: ccc']])
    await provider.embed(['d'], { kind: 'query' })
    expect(loads).toBe(1)
    expect(provider.dimensions).toBe(2)
  })

  it('refuses an answer of another shape, and stops when the asker leaves', async () => {
    const provider = createTransformersEmbeddings({
      model: 'm',
      load: async () => ({ pipeline: async () => async () => ({ dims: [1, 7, 2], data: [1] }) }),
    })
    await expect(provider.embed(['a'], { kind: 'tool' })).rejects.toMatchObject({ code: 'RESULT_INVALID' })
    await expect(provider.embed(['a'], { kind: 'tool', signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'CALL_CANCELLED',
    })
  })
})
