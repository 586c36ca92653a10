import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** What no test can cite, and why. */
const untestable: Readonly<Record<string, string>> = {
  '000-04': 'a goal; what it asks for is tested by 000-07 and 000-12',
}

describe('docs/requirements.md', () => {
  const ids = [
    ...readFileSync(join(root, 'docs/requirements.md'), 'utf8').matchAll(/^\| ([A-Z0-9][A-Z0-9-]*) \|/gm),
  ].map(([, id]) => id!)
  const cited = new Set(testFiles().flatMap((file) => citedIn(readFileSync(file, 'utf8'))))

  it('names every id once', () => {
    expect(ids.length).toBeGreaterThan(150)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  })

  it('has no id that no test cites, except where none can', () => {
    expect(ids.filter((id) => !cited.has(id) && untestable[id] === undefined)).toEqual([])
  })

  it('explains no id away that is tested', () => {
    expect(Object.keys(untestable).filter((id) => cited.has(id) || !ids.includes(id))).toEqual([])
  })

  it('defines every requirement of the five documents that is cited anywhere', () => {
    const known = new Set(ids)
    const numbered = [...cited].filter((id) => /^00[0-4]-\d\d$/.test(id))
    expect(numbered.filter((id) => !known.has(id))).toEqual([])
  })
})

/** Numbered rows wherever they stand; short ids in brackets, in titles and in comments, as they are cited. */
function citedIn(text: string): readonly string[] {
  const rows = text.match(/\b00[0-4]-\d\d\b/g) ?? []
  const lines = text
    .split('\n')
    .filter((line) => /\b(?:it|describe|test)(?:\.\w+)*\(|\]\)\(|^\s*(?:\/\/|\/?\*)|^\s*['`]/.test(line))
  const places = [...lines, ...[...text.matchAll(/\(([^()]*)\)/g)].map(([, inside]) => inside!)]
  return [...rows, ...places.flatMap((place) => place.match(/\b[A-Z]\d{1,2}\b/g) ?? [])]
}

function testFiles(): readonly string[] {
  return ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.test\.ts$|^contracts\/.*\.ts$/.test(name) && !name.endsWith('requirements.test.ts'))
      .map((name) => join(root, folder, name)),
  )
}
