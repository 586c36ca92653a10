import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { citedIn } from './requirement-ids.js'

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const rows = [...read('docs/security.md').matchAll(/^\| ([TI]\d+) \| .+ \| `([^`]+)` \|$/gm)].map(([, id, file]) => ({
  id: id!,
  file: file!,
}))

describe('the threats of docs/security.md', () => {
  it('are all there, each once', () => {
    const ids = (letter: string, length: number) => Array.from({ length }, (_, index) => `${letter}${index + 1}`)
    expect(rows.map(({ id }) => id)).toEqual([...ids('T', 40), ...ids('I', 13)])
  })

  it('each name a test that speaks of them', () => {
    expect(rows.filter(({ id, file }) => !citedIn(file, read(file)).has(id))).toEqual([])
  })
})
