import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBuiltInEmbeddings, createStaticModel } from './built-in.js'
import { readTable } from './table-file.js'
import { createWordByWord } from './word-by-word.js'

const table = readTable(readFileSync(new URL('./data/table.bin', import.meta.url)))
const [quick, plain] = (['simd', 'plain'] as const).map((kernel) => createWordByWord(table, { kernel })) as [
  ReturnType<typeof createWordByWord>,
  ReturnType<typeof createWordByWord>,
]
const embed = createStaticModel(table)
const rowsOf = (text: string): Uint16Array => {
  let found: readonly number[] = []
  embed(text, 'tool', (rows) => {
    found = rows
  })
  return Uint16Array.from(found)
}
const text = fc.oneof(
  fc.lorem({ maxCount: 30 }),
  fc.string(),
  fc.constantFrom('查询明天的天气', 'delete a file', '发送 email', ''),
)

describe('likeness word by word', () => {
  it('is one where the tool has every word of the query, whatever else it says', () => {
    const [all, some, none] = quick.likeness('weather forecast', [
      rowsOf('forecast of stock prices, and the weather'),
      rowsOf('weather'),
      rowsOf(''),
    ])
    expect(all).toBeCloseTo(1)
    expect(some).toBeGreaterThan(0.3)
    expect(some).toBeLessThan(0.95)
    expect(none).toBe(0)
  })

  it('meets a word by one that is like it', () => {
    const [near, far] = quick.likeness('天气', [rowsOf('weather'), rowsOf('invoice')])
    expect(near).toBeGreaterThan(far! + 0.2)
  })

  it('is a share, the same with and without SIMD', () => {
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 5 }), (query, tools) => {
        const rows = tools.map(rowsOf)
        const likeness = quick.likeness(query, rows)
        for (const value of likeness) expect(value >= 0 && value <= 1).toBe(true)
        for (const [i, value] of plain.likeness(query, rows).entries()) expect(likeness[i]).toBeCloseTo(value, 5)
      }),
      { numRuns: 40 },
    )
  })

  it('looks at the heaviest words of a long query only', () => {
    const long = Array.from({ length: 400 }, (_, i) => ['weather', 'file', 'music', 'train'][i % 4]).join(' word ')
    expect(quick.likeness(long, [rowsOf(long)])[0]).toBeCloseTo(1)
  })

  it('is told by the model in the package, which keeps its rows once', () => {
    const { embedSync, wordByWord } = createBuiltInEmbeddings()
    const rows: (readonly number[])[] = []
    embedSync!(['weather forecast', 'invoice'], { kind: 'tool', onRows: (place, own) => (rows[place] = own) })
    const [weather, invoice] = wordByWord!(
      'forecast',
      rows.map((own) => Uint16Array.from(own)),
    )
    expect(weather).toBeCloseTo(1)
    expect(invoice).toBeLessThan(0.7)
  })
})
