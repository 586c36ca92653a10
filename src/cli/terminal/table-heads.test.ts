import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { splits } from '../../history/query.js'
import { heads } from './table-heads.js'

const cli = fileURLToPath(new URL('..', import.meta.url))
const texts = readdirSync(cli, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('table-heads.ts'))
  .map((file) => readFileSync(join(cli, file), 'utf8'))

/** Lists of words in capitals alone: nothing else in a command looks like that, but signals. */
const inTables = new Set(
  texts.flatMap((text) =>
    [...text.matchAll(/\[((?:\s*'(?!SIG)[A-Z][A-Z0-9 /%]*',?)+)\s*\]/g)].flatMap(([, words]) =>
      [...words!.matchAll(/'([^']+)'/g)].map(([, word]) => word!),
    ),
  ),
)

describe('the heads of tables (U9)', () => {
  it('are all told in Chinese', () => {
    expect(inTables.size).toBeGreaterThan(50)
    const bySplit = splits.map((split) => split.toUpperCase())
    expect([...inTables, ...bySplit].filter((head) => !/\p{Script=Han}|^token$/u.test(heads[head] ?? ''))).toEqual([])
  })

  it('are all used', () => {
    const all = texts.join('\n')
    const isUsed = (head: string): boolean =>
      all.includes(`'${head}'`) || splits.some((split) => split.toUpperCase() === head)
    expect(Object.keys(heads).filter((head) => !isUsed(head))).toEqual([])
  })
})
