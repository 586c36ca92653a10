import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import vectors from '../../../test/search-quality/model-vectors.json' with { type: 'json' }
import type { Tool } from '../../model/tool.js'
import { type Logger, silentLogger } from '../../telemetry/logger.js'
import { createSearch } from '../search.js'
import { builtInEmbeddings, createBuiltInEmbeddings, createStaticModel, tryBuiltIn } from './built-in.js'
import { readTable } from './table-file.js'
import { createRowReader } from './tokens.js'
import { weighRows } from './weigh.js'

const file = new URL('./data/table.bin', import.meta.url)
const bytes = readFileSync(file)
const table = readTable(bytes)
const model = createStaticModel(table)
const folder = mkdtempSync(join(tmpdir(), 'pegboard-model-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const tool = (id: string, description: string): Tool => ({
  id,
  name: id,
  namespace: '',
  source: '',
  tags: [],
  definition: { name: id, description, inputSchema: {} },
})

const kitchen = [
  tool('meal_ideas', 'Suggests dishes to cook from what is in the fridge'),
  tool('open_ticket', 'Creates an issue in the tracker'),
  tool('fare_finder', 'Compares prices of airlines'),
  tool('dim_lamp', 'Sets the brightness of a lamp'),
]

const searchOver = (tools: readonly Tool[]) => {
  const search = createSearch({ embedding: createBuiltInEmbeddings() })
  search.apply({ added: tools, changed: [], removed: [] })
  return search
}

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0)

describe('built-in model', () => {
  it('fits in 8 MB', () => {
    expect(statSync(file).size).toBeLessThan(8_000_000)
  })

  it.each(vectors)('reads $text as its training did', ({ text, kind, rows, vector }) => {
    const read: number[] = []
    weighRows(createRowReader(table), text, kind as 'query' | 'tool', (row) => read.push(row))
    expect(read).toEqual(rows)
    const made = model(text, kind as 'query' | 'tool')
    for (const [i, value] of vector.entries()) expect(made[i]).toBeCloseTo(value, 4)
  })

  it('brings together what means the same in the other language', () => {
    const near = cosine(model('机票', 'query'), model('airline tickets and flights', 'tool'))
    const far = cosine(model('机票', 'query'), model('git repository commits', 'tool'))
    expect(near).toBeGreaterThan(far + 0.2)
  })

  it.each([
    ["what's for dinner tonight", 'meal_ideas'],
    ['晚饭吃什么', 'meal_ideas'],
    ['去东京的机票多少钱', 'fare_finder'],
    ['卧室太亮了，灯光调暗', 'dim_lamp'],
    ['report a bug', 'open_ticket'],
  ])('finds %s without a shared word', (query, id) => {
    const search = searchOver(kitchen)
    for (const method of ['auto', 'embedding']) {
      expect(search.searchSync(query, { method }).results[0]?.tool.id).toBe(id)
    }
  })

  it('finds nothing for nonsense, in words or out of them', () => {
    const search = searchOver(kitchen)
    for (const query of ['xyzzyplugh qwghlm', '123 456', '🙂🙂', '。。。']) {
      for (const method of ['auto', 'embedding']) expect(search.searchSync(query, { method }).results).toEqual([])
    }
  })

  it('gives vectors of length one or zero for any text, and always the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom('query', 'tool'), (text, kind) => {
        const vector = model(text, kind as 'query' | 'tool')
        const length = Math.sqrt(cosine(vector, vector))
        expect(length === 0 || Math.abs(length - 1) < 1e-4).toBe(true)
        expect(model(text, kind as 'query' | 'tool')).toEqual(vector)
      }),
    )
  })

  it('is read once for a process', () => {
    expect(builtInEmbeddings()).toBe(builtInEmbeddings())
  })
})

describe('model file', () => {
  it('is refused when it is cut, changed, of another version or no model', () => {
    const other = Buffer.from(bytes)
    other[other.length >> 1]! ^= 1
    const versioned = Buffer.from(bytes)
    versioned[4] = 9
    for (const broken of [
      bytes.subarray(0, 1000),
      bytes.subarray(0, bytes.length - 1),
      other,
      versioned,
      Buffer.from('x'),
    ]) {
      expect(() => readTable(broken)).toThrow(/install the package again/)
    }
    expect(() => readTable(new Uint8Array(0))).toThrow(expect.objectContaining({ code: 'RESULT_INVALID' }))
  })

  it('missing or damaged costs one warning, and words are matched', () => {
    const damaged = join(folder, 'damaged.bin')
    writeFileSync(damaged, bytes.subarray(0, 5_000))
    for (const path of [damaged, join(folder, 'missing.bin')]) {
      const said: string[] = []
      const logger: Logger = { ...silentLogger, log: (level, message) => said.push(`${level} ${message}`) }
      expect(tryBuiltIn(pathToFileURL(path), logger)).toBeUndefined()
      expect(said).toEqual([expect.stringMatching(/^warn .*words are matched only/)])
    }
  })
})
