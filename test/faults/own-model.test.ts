import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js'
import { noOnnxRuntime, onnxModel, onnxWords } from '../helpers/onnx-model.js'

// With the data of the model in the package, beside which the user's own is heard.
const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

const cleanup: (() => unknown)[] = []
afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
})

/** A gateway as people start it, with these bytes as the model that its configuration file names. */
const start = async (model: Buffer | string, env: Readonly<Record<string, string>> = {}): Promise<GatewayProcess> => {
  if (!existsSync(cli)) throw new Error('Run `npm run build` first: these tests use the built package.')
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-own-model-'))
  cleanup.push(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'model.onnx'), model)
  writeFileSync(join(folder, 'vocab.txt'), onnxWords.pieces.join('\n'))
  writeFileSync(join(folder, 'tools.json'), JSON.stringify({ tools: onnxWords.tools }))
  const gateway = await startGateway(
    {
      sources: { things: { type: 'catalog', path: './tools.json' } },
      search: { embedding: { provider: 'onnx', modelFile: './model.onnx', vocabularyFile: './vocab.txt' } },
      profiles: { default: { expose: 'search' } },
    },
    { folder, env, cli, forPeople: true },
  )
  cleanup.push(gateway.dispose)
  return gateway
}

const find = async ({ client }: GatewayProcess, query: string): Promise<readonly string[]> => {
  const { text } = await client.call('search_tools', { query })
  return [...text.matchAll(/"tool_name": "things__(\w+)"/g)].map(([, name]) => name!)
}

describe.skipIf(noOnnxRuntime !== undefined)(
  `a configuration file that names a model of one's own${noOnnxRuntime ? ` (${noOnnxRuntime})` : ''}`,
  () => {
    it('has it heard by searches, and the process ends by itself', async () => {
      const gateway = await start(onnxModel({ table: onnxWords.table }))
      await expect.poll(() => find(gateway, onnxWords.query)).toEqual(onnxWords.heard)
      expect(gateway.log()).not.toContain('could not be embedded')
      gateway.child.kill('SIGTERM')
      expect(await gateway.exited).toBe(0)
    })

    it.each([
      ['English', 'C.UTF-8', /search: tools could not be embedded: The model file '.*model\.onnx' is no ONNX model/],
      ['Chinese', 'zh_CN.UTF-8', /搜索：工具无法向量化：模型文件“.*model\.onnx”不是运行库能使用的 ONNX 模型/],
    ])('answers without it where the file is none, and the log says why in %s', async (_, language, reason) => {
      const gateway = await start('no model', { LC_ALL: language })
      expect(await find(gateway, onnxWords.query)).toEqual([...onnxWords.heard].reverse())
      await gateway.logged(reason)
      expect(await find(gateway, onnxWords.query)).toEqual([...onnxWords.heard].reverse())
      gateway.child.kill('SIGTERM')
      expect(await gateway.exited).toBe(0)
    })
  },
)
