import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Tool } from '../../src/model/tool.js'
import { createOnnxEmbeddings } from '../../src/search/embedding/onnx/provider.js'
import { builtInEmbeddings } from '../../src/search/model/built-in.js'
import { createSearch } from '../../src/search/search.js'
import { noOnnxRuntime } from '../helpers/onnx-model.js'

/** A published model, where somebody has fetched one: see scripts/embedding-model.mjs, which fills such a folder. */
const folder = process.env.PEGBOARD_ONNX_MODEL
const reason = ((): string | undefined => {
  if (folder === undefined) return 'PEGBOARD_ONNX_MODEL names no folder; node scripts/embedding-model.mjs fills one'
  if (!existsSync(join(folder, 'settings.json'))) return `PEGBOARD_ONNX_MODEL: there is no settings.json in ${folder}`
  return noOnnxRuntime
})()
if (reason) console.log(`A published model: skipped, ${reason}.`)

interface Settings {
  readonly modelFile: string
  readonly vocabularyFile: string
  readonly pooling: 'mean' | 'cls'
  readonly queryPrefix: string
}
const settings = reason ? undefined : (JSON.parse(readFileSync(join(folder!, 'settings.json'), 'utf8')) as Settings)

// Each query shares no word with what it asks for.
const questions = {
  en: {
    refund: ['Returns the price of a purchase to the customer', 'I want my money back for these shoes'],
    weather: ['Forecast of rain, wind and temperature', 'do I need an umbrella tomorrow'],
    translate: ['Renders a text in another language', 'how do I say good morning to a Frenchman'],
    playlist: ['Plays songs of an artist', 'put on some music'],
  },
  zh: {
    refund: ['把订单的货款退还给买家', '这双鞋不合适，想要回我的钱'],
    weather: ['查询降雨、风力和气温预报', '明天出门要不要带伞'],
    translate: ['把一段文字译成另一种语言', '早上好用法语怎么说'],
    playlist: ['播放歌手的歌曲', '来点音乐听听'],
  },
}
const wanted = Object.entries(questions[/\p{Script=Han}/u.test(settings?.queryPrefix ?? '') ? 'zh' : 'en'])
const tools = wanted.map(
  ([, [description]], i): Tool => ({
    id: `t${i}`,
    name: `t${i}`,
    namespace: '',
    source: '',
    tags: [],
    definition: { name: `t${i}`, description: description!, inputSchema: {} },
  }),
)

describe.skipIf(reason !== undefined)(`a published model${reason ? ` (${reason})` : ''}`, () => {
  const model =
    settings &&
    createOnnxEmbeddings({
      ...settings,
      prefixes: { query: settings.queryPrefix },
      runtime: 'onnxruntime-web',
    })
  afterAll(() => model?.close())

  it('gives vectors of one length, the same for the same text', async () => {
    const [one, same, other] = await model!.embed(['weather', 'weather', '天气'], { kind: 'tool' })
    expect(one).toHaveLength(model!.dimensions)
    expect(one!.every(Number.isFinite)).toBe(true)
    expect(same).toEqual(one)
    expect(other).not.toEqual(one)
  })

  it.each(wanted)('finds by meaning: %s', async (name, [, query]) => {
    const search = createSearch({ embedding: model!, embeddingWaitMs: 60_000 })
    search.apply({ added: tools, changed: [], removed: [] })
    await search.ready()
    const { method, results } = await search.search(query!, { method: 'embedding' })
    expect(method).toBe('embedding')
    expect(results[0]?.tool.id).toBe(`t${wanted.findIndex(([each]) => each === name)}`)
  })

  it('is heard beside the model in the package', async () => {
    const scores = async (beside: typeof model) => {
      const search = createSearch({ embedding: builtInEmbeddings(), beside, embeddingWaitMs: 60_000 })
      search.apply({ added: tools, changed: [], removed: [] })
      await search.ready()
      const { results } = await search.search(wanted[1]![1][1]!, { method: 'embedding' })
      return results.map(({ tool, score }) => [tool.id, score])
    }
    const together = await scores(model)
    expect(together[0]![0]).toBe('t1')
    expect(together).not.toEqual(await scores(undefined))
  })
})
