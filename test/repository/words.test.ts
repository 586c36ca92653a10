import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../helpers/snippets.js'

const pages = [
  'README.md',
  'README.zh.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  ...['docs', 'ops', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.length))
      // The dictionary of ids, for those who carry the project on.
      .filter((page) => !/docs.requirements/.test(page)),
  ),
]

/** Words of the workshop, which say nothing to whoever uses the product (U8). */
const houseWords: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a document by its number', /\bdocuments? 00\d|文档 ?00\d|\b00\d's\b/i],
  ['the id of a requirement', /\b00\d-\d\d\b|\bACCEPTANCE\b/],
  ["another product's name in place of ours", /MCP Agent Manager/],
  ['a call that waits called parked', /pegboard parked|parked calls?/i],
  ['a source set aside', /sources? (?:is|are|was|were) set aside/i],
]

describe.each(pages)('%s', (page) => {
  it.each(houseWords)('has no %s', (_, pattern) => {
    const found = readFileSync(join(root, page), 'utf8')
      .split('\n')
      .filter((line) => pattern.test(line))
    expect(found).toEqual([])
  })
})

describe('the command line', () => {
  it('says nothing of them either', () => {
    const files = readdirSync(join(root, 'src/cli'), { recursive: true, encoding: 'utf8' })
    const said = files
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .flatMap((file) => readFileSync(join(root, 'src/cli', file), 'utf8').match(/\bsay\(\s*(['"`])[\s\S]*?\1/g) ?? [])
    expect(said.length).toBeGreaterThan(300)
    const patterns = [...houseWords.map(([, pattern]) => pattern), /\bspeaks\b|\bset aside\b|\bparked\b/i]
    expect(said.filter((text) => patterns.some((pattern) => pattern.test(text)))).toEqual([])
  })
})
