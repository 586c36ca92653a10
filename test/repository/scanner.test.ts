import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const src = join(import.meta.dirname, '../../src')
const room = join(src, 'scanner')
const files = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
)
const awayFromWords = /\b(?:process|fetch|require|Date|performance|setTimeout|globalThis|eval)\b[.(]|Math\.random/

describe('the scanner', () => {
  it('imports nothing that reads, sends or starts, and asks neither clock nor chance (T18)', () => {
    expect(files.length).toBeGreaterThan(5)
    const wrong = files.filter((file) => {
      const text = readFileSync(join(room, file), 'utf8')
      const imports = [...text.matchAll(/(?:from|import\(?)\s*'([^']+)'/g)].map(([, name]) =>
        name!.startsWith('.') ? relative(src, join(dirname(join(room, file)), name!)) : name!,
      )
      return imports.some((name) => !/^(?:scanner\/|model\/|errors\.js$)/.test(name)) || awayFromWords.test(text)
    })
    expect(wrong).toEqual([])
  })
})
