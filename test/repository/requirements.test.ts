import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { citedIn, citingFiles, requirements, testedIn } from './requirement-ids.js'

const root = join(import.meta.dirname, '../..')

describe('docs/requirements', () => {
  const rows = requirements()
  const known = new Set(rows.map(({ id }) => id))
  const tested = testedIn()

  it('has one row for each id', () => {
    const ids = rows.map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(500)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  })

  it('has every id that is cited anywhere in the tree', () => {
    const unknown = citingFiles().flatMap((file) =>
      [...citedIn(file, readFileSync(join(root, file), 'utf8'))]
        .filter((id) => !known.has(id))
        .map((id) => `${id} in ${file}`),
    )
    expect(unknown).toEqual([])
  })

  // Where this fails: npm run docs.
  it('names for each id the folders that test it, or says why none does', () => {
    const wrong = rows.filter((row) =>
      tested.has(row.id)
        ? !foldersOf(row.tested).every((folder) => tested.get(row.id)!.includes(folder))
        : isFolders(row.tested),
    )
    expect(wrong.map(({ id, tested }) => `${id}: ${tested}`)).toEqual([])
    expect(rows.filter((row) => row.tested === '').map(({ id }) => id)).toEqual([])
    expect(rows.filter((row) => tested.has(row.id) && !isFolders(row.tested)).map(({ id }) => id)).toEqual([])
  })

  it('explains what has no test by a reason or by another id that exists', () => {
    const reasons = rows.filter((row) => !tested.has(row.id)).map((row) => row.tested)
    expect(reasons.filter((reason) => !/^(?:not built|not tested|by |a goal)/.test(reason))).toEqual([])
    const others = reasons.flatMap((reason) => reason.match(/\b(?:00\d-\d\d|[A-Z]\d{1,3})\b/g) ?? [])
    expect(others.filter((id) => !known.has(id))).toEqual([])
  })

  it('resolves every document that is cited by its number', () => {
    const index = readFileSync(join(root, 'docs/requirements.md'), 'utf8')
    const cited = citingFiles().flatMap(
      (file) => readFileSync(join(root, file), 'utf8').match(/\b[Dd]ocuments? \d{3}\b/g) ?? [],
    )
    const numbers = [...new Set(cited.map((words) => words.slice(-3)))].sort()
    expect(numbers.filter((number) => !index.includes(`| ${number} |`))).toEqual([])
    expect(numbers.length).toBeGreaterThan(3)
  })

  it('names only folders that are there', () => {
    const folders = new Set(rows.flatMap((row) => (isFolders(row.tested) ? foldersOf(row.tested) : [])))
    expect([...folders].filter((folder) => !existsSync(join(root, folder)))).toEqual([])
  })
})

describe('ids in a text', () => {
  it.each([
    ['(B1, 002-13)', ['B1', '002-13']],
    ['H71-H73 and S129-131', ['H71', 'H72', 'H73', 'S129', 'S130', 'S131']],
    ['as 001 compat 5 and 001 open point 3 say', ['001 compat 5', '001 open point 3']],
    ['V8 on an H200, U+E000, %E5, #A1, an S3 bucket', []],
  ])('%s', (text, ids) => {
    expect([...citedIn('a.ts', `// ${text}`)]).toEqual(ids)
  })

  it('are read from titles and rows of tests, not from their values', () => {
    const text = "it('T1 holds (A2)', () => {})\nconst rows = [['K1 empty', 'Z9']]\nconst x = ask('Q7')"
    expect([...citedIn('a.test.ts', text)]).toEqual(['T1', 'A2', 'K1'])
  })
})

const foldersOf = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, folder]) => folder!)
const isFolders = (cell: string): boolean => cell.startsWith('`')
