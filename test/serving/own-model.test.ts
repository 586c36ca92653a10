import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noOnnxRuntime, onnxModel, onnxWords } from '../helpers/onnx-model.js'
import { openRunning, type Running } from './open-running.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-own-model-'))
  writeFileSync(join(folder, 'model.onnx'), onnxModel({ table: onnxWords.table }))
  writeFileSync(join(folder, 'vocab.txt'), onnxWords.pieces.join('\n'))
  writeFileSync(join(folder, 'tools.json'), JSON.stringify({ tools: onnxWords.tools }))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The threads that this process began and that still run. */
const threads = (): number => (process.report.getReport() as unknown as { workers: readonly unknown[] }).workers.length

const find = async ({ board }: Running): Promise<readonly string[]> => {
  const { results } = await board.gateway.search(onnxWords.query)
  return results.map(({ tool }) => tool.name)
}

describe.skipIf(noOnnxRuntime !== undefined)(
  `a model of one's own in the configuration${noOnnxRuntime ? ` (${noOnnxRuntime})` : ''}`,
  () => {
    it('has a thread once somebody searches, which ends with the board', async () => {
      const before = threads()
      const running = await openRunning({
        sources: { things: { type: 'catalog', path: join(folder, 'tools.json') } },
        search: {
          embedding: {
            provider: 'onnx',
            modelFile: join(folder, 'model.onnx'),
            vocabularyFile: join(folder, 'vocab.txt'),
          },
        },
      })
      expect(threads()).toBe(before)
      await expect.poll(() => find(running)).toEqual(onnxWords.heard)
      expect(threads()).toBe(before + 1)
      await running.board.close()
      expect(threads()).toBe(before)
      await running[Symbol.asyncDispose]()
    })
  },
)
