import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { citedIn } from './requirement-ids.js'

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const rows = [...read('docs/security.md').matchAll(/^\| (T\d+) \| .+ \| `([^`]+)` \|$/gm)].map(([, id, file]) => ({
  id: id!,
  file: file!,
}))

describe('the threats of docs/security.md', () => {
  it('are all there, each once', () => {
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, index) => `T${index + 1}`))
  })

  it('each name a test that speaks of them', () => {
    expect(rows.filter(({ id, file }) => !citedIn(file, read(file)).has(id))).toEqual([])
  })
})
