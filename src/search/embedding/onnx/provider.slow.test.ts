import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { noOnnxRuntime, onnxModel } from '../../../../test/helpers/onnx-model.js'
import { VirtualClock } from '../../../../test/helpers/virtual-clock.js'
import type { Tool } from '../../../model/tool.js'
import { createSearch, type SearchOptions } from '../../search.js'
import { createMemoryVectorCache } from '../vector-cache.js'
import { createOnnxEmbeddings, type OnnxOptions } from './provider.js'

// What belongs together points the same way: cats, cars, weather; everything else its own.
const vocabulary = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  'cat',
  'feline',
  'car',
  'sedan',
  'weather',
  'forecast',
  '天',
  '气',
]
const table = [
  [0, 0, 0, 0],
  [0, 0, 0, 0.1],
  [0, 0, 0, 0.1],
  [0, 0, 0, 0.1],
  [1, 0, 0, 0],
  [1, 0.1, 0, 0],
  [0, 1, 0, 0],
  [0, 1, 0.1, 0],
  [0, 0, 1, 0],
  [0, 0, 1, 0.1],
  [0, 0, 1, 0],
  [0, 0, 1, 0],
]

let folder: string
let number = 0
const opened: { close(): Promise<void> }[] = []
const write = (content: string | Buffer, ending: string): string => {
  const path = join(folder, `${number++}${ending}`)
  writeFileSync(path, content)
  return path
}
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-onnx-'))
})
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const provider = (more: Partial<OnnxOptions> = {}) => {
  const made = createOnnxEmbeddings({
    modelFile: more.modelFile ?? write(onnxModel({ table }), '.onnx'),
    vocabularyFile: more.vocabularyFile ?? write(vocabulary.join('\n'), '.txt'),
    runtime: 'onnxruntime-web',
    ...more,
  })
  opened.push(made)
  return made
}

/** ONNX Runtime as it is, but for what a text with the piece 6 ('car') does to it. */
const troubledRuntime = (trouble: string): string => {
  const real = pathToFileURL(createRequire(import.meta.url).resolve('onnxruntime-web')).href
  return pathToFileURL(
    write(
      `import ort from ${JSON.stringify(real)}
       export const { Tensor, env } = ort
       export const InferenceSession = { create: async (...args) => {
         const session = await ort.InferenceSession.create(...args)
         const run = session.run.bind(session)
         session.run = (feeds) => (feeds.input_ids.data.includes(6n) ? (${trouble}) : run(feeds))
         return session
       } }`,
      '.mjs',
    ),
  ).href
}

const tool = (id: string, description: string): Tool => ({
  id,
  name: id,
  namespace: '',
  source: '',
  tags: [],
  definition: { name: id, description, inputSchema: {} },
})
const tools = [tool('t1', 'cat'), tool('t2', 'car'), tool('t3', 'weather')]
const searchWith = (embedding: SearchOptions['embedding'], more: SearchOptions = {}) => {
  const search = createSearch({ embedding, embeddingWaitMs: 60_000, ...more })
  search.apply({ added: tools, changed: [], removed: [] })
  return search
}
const embedError = async (made: ReturnType<typeof provider>): Promise<unknown> =>
  made.embed(['cat'], { kind: 'query' }).then(
    () => undefined,
    (error: unknown) => error,
  )

describe.skipIf(noOnnxRuntime !== undefined)(
  `a model file of one's own${noOnnxRuntime ? ` (${noOnnxRuntime})` : ''}`,
  { timeout: 60_000 },
  () => {
    it('finds by meaning what shares no word, in both languages', async () => {
      const search = searchWith(provider())
      await search.ready()
      expect(search.searchSync('feline', { method: 'bm25' }).results).toEqual([])
      expect(await search.search('feline', { method: 'embedding' })).toMatchObject({
        method: 'embedding',
        results: [{ tool: { id: 't1' }, matchReason: 'meaning' }],
      })
      expect((await search.search('天气', { method: 'embedding' })).results[0]).toMatchObject({ tool: { id: 't3' } })
    })

    it('gives one vector a text, as the mean of its pieces or the first of them', async () => {
      const [mean] = await provider().embed(['cat car'], { kind: 'tool' })
      expect([...mean!].map((value) => Number(value.toFixed(3)))).toEqual([0.25, 0.25, 0, 0.05])
      const [first] = await provider({ pooling: 'cls' }).embed(['cat car'], { kind: 'tool' })
      expect([...first!].map((value) => Number(value.toFixed(3)))).toEqual([0, 0, 0, 0.1])
      const whole = write(onnxModel({ table, gives: 'text' }), '.onnx')
      expect(await provider({ modelFile: whole }).embed(['cat car'], { kind: 'tool' })).toEqual([mean])
    })

    it('puts words before queries and before tools', async () => {
      const made = provider({ prefixes: { query: 'cat ', tool: 'car ' } })
      const plain = provider()
      expect(await made.embed(['weather'], { kind: 'query' })).toEqual(
        await plain.embed(['cat weather'], { kind: 'query' }),
      )
      expect(await made.embed(['weather'], { kind: 'tool' })).toEqual(
        await plain.embed(['car weather'], { kind: 'query' }),
      )
    })

    it('reads texts of one length and other numbers, where the model is made so', async () => {
      const fixed = write(
        onnxModel({ table, length: 6, type: 'int32', inputs: ['input_ids', 'attention_mask'] }),
        '.onnx',
      )
      const [vector] = await provider({ modelFile: fixed }).embed(['cat car'], { kind: 'tool' })
      expect([...vector!].map((value) => Number(value.toFixed(3)))).toEqual([0.25, 0.25, 0, 0.05])
      expect(await provider({ modelFile: fixed }).embed(['cat car '.repeat(50)], { kind: 'tool' })).toHaveLength(1)
    })

    it('keeps vectors by what is in the files, so that a restart reads no tool again', async () => {
      const vectorCache = createMemoryVectorCache()
      const files = {
        modelFile: write(onnxModel({ table }), '.onnx'),
        vocabularyFile: write(vocabulary.join('\n'), '.txt'),
      }
      const counted = (made: ReturnType<typeof provider>, asked: string[]) => ({
        get id() {
          return made.id
        },
        dimensions: 4,
        prepare: made.prepare!,
        embed: (texts: readonly string[], options: { kind: 'query' | 'tool' }) => {
          asked.push(...texts)
          return made.embed(texts, options)
        },
      })
      const [first, again, other]: [string[], string[], string[]] = [[], [], []]
      await searchWith(counted(provider(files), first), { vectorCache }).ready()
      await searchWith(counted(provider(files), again), { vectorCache }).ready()
      const changed = write(onnxModel({ table: [...table, [1, 1, 1, 1]] }), '.onnx')
      await searchWith(counted(provider({ ...files, modelFile: changed }), other), { vectorCache }).ready()
      expect([first.length, again.length, other.length]).toEqual([3, 0, 3])
    })

    it('measures by itself what is unrelated', async () => {
      const made = provider()
      expect([made.unrelated, made.dimensions]).toEqual([undefined, 0])
      await made.prepare!()
      expect(made.dimensions).toBe(4)
      expect(made.unrelated).toBeGreaterThan(0.5)
      expect(provider({ unrelated: 0.4 }).unrelated).toBe(0.4)
    })

    it('measures it in the language that the model knows', async () => {
      const known = ['播', '删', '明', '支', '质']
      const made = provider({
        vocabularyFile: write([...vocabulary.slice(0, 4), ...known].join('\n'), '.txt'),
        modelFile: write(
          onnxModel({ table: Array.from({ length: 9 }, (_, i) => known.map((_, j) => (i - 4 === j ? 1 : 0.01))) }),
          '.onnx',
        ),
      })
      await made.prepare!()
      expect(made.unrelated).toBeLessThan(0.5)
    })

    it('lets a query go before the tools that wait, and forgets whoever left', async () => {
      const made = provider()
      await made.prepare!()
      const ended: string[] = []
      const background = made.embed(
        Array.from({ length: 64 }, () => 'cat car'),
        { kind: 'tool' },
      )
      const stop = new AbortController()
      const left = made.embed(['cat'], { kind: 'query', signal: stop.signal })
      stop.abort()
      await expect(left).rejects.toMatchObject({ code: 'CALL_CANCELLED' })
      const query = made.embed(['feline'], { kind: 'query' })
      await Promise.all([background.then(() => ended.push('tools')), query.then(() => ended.push('query'))])
      expect(ended).toEqual(['query', 'tools'])
      await expect(made.embed(['cat'], { kind: 'query', signal: AbortSignal.abort() })).rejects.toMatchObject({
        code: 'CALL_CANCELLED',
      })
    })

    it('ends with close, tells whoever waits, and begins again when asked', async () => {
      const made = provider()
      await made.prepare!()
      const waiting = made.embed(['cat', 'car'], { kind: 'tool' })
      const told = expect(waiting).rejects.toMatchObject({ code: 'CALL_CANCELLED' })
      await made.close()
      await told
      expect(await made.embed(['cat'], { kind: 'tool' })).toHaveLength(1)
    })

    it('is not used any more when the file became another under a running gateway', async () => {
      const modelFile = write(onnxModel({ table }), '.onnx')
      const made = provider({ modelFile })
      await made.prepare!()
      await made.close()
      writeFileSync(modelFile, onnxModel({ table: [...table, [1, 1, 1, 1]] }))
      await expect(made.prepare!()).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: /became another/ })
    })

    it('begins another thread after one was killed, and words answer meanwhile', async () => {
      const made = provider({ runtime: troubledRuntime('process.exit(1)') })
      const search = searchWith(made)
      await expect(search.ready()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', message: /thread .* ended/ })
      const outcome = await search.search('car', { method: 'embedding' })
      expect(outcome).toMatchObject({ method: 'auto', results: [{ tool: { id: 't2' } }] })
      expect(outcome.notice).toMatch(/not available/)
      expect(await made.embed(['cat'], { kind: 'query' })).toHaveLength(1)
    })

    it('is ended when it does not answer in time', async () => {
      const clock = new VirtualClock()
      const made = provider({ runtime: troubledRuntime('new Promise(() => {})'), clock, timeoutMs: 5_000 })
      await made.prepare!()
      const stuck = made.embed(['car'], { kind: 'query' })
      const told = expect(stuck).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED', message: /within 5000 ms/ })
      await clock.advance(5_000)
      await told
      expect(await made.embed(['cat'], { kind: 'query' })).toHaveLength(1)
      expect(clock.pendingTimers).toBe(0)
    })

    const bad: readonly (readonly [string, () => Partial<OnnxOptions>, string, RegExp])[] = [
      ['a model that is not there', () => ({ modelFile: join(folder, 'none') }), 'CONFIG_INVALID', /does not exist/],
      ['a folder', () => ({ modelFile: folder }), 'CONFIG_INVALID', /is not a file/],
      ['a model that is none', () => ({ modelFile: write('no model', '.onnx') }), 'CONFIG_INVALID', /no ONNX model/],
      ['an empty model', () => ({ modelFile: write('', '.onnx') }), 'CONFIG_INVALID', /no ONNX model/],
      ['a model too large', () => ({ maxModelBytes: 100 }), 'CONFIG_INVALID', /more than the 100 that are read/],
      [
        'a model with other inputs',
        () => ({ modelFile: write(onnxModel({ table, inputs: ['input_ids', 'pixel_values'] }), '.onnx') }),
        'CONFIG_INVALID',
        /inputs that are not given \(pixel_values\)/,
      ],
      [
        'a model without texts',
        () => ({ modelFile: write(onnxModel({ table, inputs: ['attention_mask'] }), '.onnx') }),
        'CONFIG_INVALID',
        /no input 'input_ids'/,
      ],
      [
        'a model that gives no vectors',
        () => ({ modelFile: write(onnxModel({ table, gives: 'number' }), '.onnx') }),
        'RESULT_INVALID',
        /does not give one vector/,
      ],
      [
        'vectors that are too long',
        () => ({ modelFile: write(onnxModel({ table: table.map(() => new Array(5_000).fill(1)) }), '.onnx') }),
        'RESULT_INVALID',
        /1 to 4096/,
      ],
      [
        'a vocabulary larger than the model',
        () => ({ modelFile: write(onnxModel({ table: table.slice(0, 2) }), '.onnx') }),
        'CONFIG_INVALID',
        /could not read a text/,
      ],
      [
        'no vocabulary',
        () => ({ vocabularyFile: join(folder, 'none') }),
        'CONFIG_INVALID',
        /vocabulary file .* not exist/,
      ],
      [
        'a vocabulary of another model',
        () => ({ vocabularyFile: write('{"model":{"type":"BPE"}}', '.json') }),
        'CONFIG_INVALID',
        /kind 'BPE'/,
      ],
      ['no runtime', () => ({ runtime: 'onnxruntime-nowhere' }), 'SOURCE_UNAVAILABLE', /npm install onnxruntime-node/],
      [
        'a runtime that is none',
        () => ({ runtime: pathToFileURL(write('export const a = 1', '.mjs')).href }),
        'SOURCE_UNAVAILABLE',
        /is no ONNX Runtime/,
      ],
    ]
    it.each(bad)('says what is wrong with %s, while words work', async (_, more, code, reason) => {
      const made = provider(more())
      expect(await embedError(made)).toMatchObject({ code, message: expect.stringMatching(reason) })
      const outcome = await searchWith(made).search('weather')
      expect(outcome).toMatchObject({ method: 'auto', results: [{ tool: { id: 't3' } }] })
      expect(outcome.notice).toMatch(/not available/)
    })

    it('reads nothing before the first text', async () => {
      const made = provider({ modelFile: join(folder, 'later', 'model.onnx') })
      mkdirSync(join(folder, 'later'))
      writeFileSync(join(folder, 'later', 'model.onnx'), onnxModel({ table }))
      expect(await made.embed(['cat'], { kind: 'query' })).toHaveLength(1)
    })
  },
)
