import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createDeclarations } from './declarations.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, { types: string } | string>
}
const entries = Object.entries(exports).flatMap(([subpath, to]) =>
  typeof to === 'string' ? [] : [[subpath, join(root, to.types)] as const],
)

/** Whoever holds one of our values must be able to name its type. */
describe('types of the public entries', () => {
  // In the declarations of the last `npm run build`.
  it('are all importable: what a declaration names, some entry exports (else: add it to src/exports or src/index.ts)', () => {
    const declarations = createDeclarations()
    const given = new Set(entries.flatMap(([, file]) => [...declarations.exportsOf(file).values()]))
    expect(given.size).toBeGreaterThan(200)
    const missing = [...given].flatMap((place) =>
      declarations
        .referencesOf(place)
        .filter((each) => !given.has(each))
        .map((each) => `${short(each)} in ${short(place)}`),
    )
    expect([...new Set(missing)].sort()).toEqual([])
  })

  it('are found: every name of an entry is declared somewhere', () => {
    const declarations = createDeclarations()
    for (const [subpath, file] of entries) {
      const names = [...declarations.exportsOf(file)]
      expect([subpath, names.length > 3]).toEqual([subpath, true])
      const lost = names.filter(([, place]) => !declarations.isDeclared(place)).map(([name]) => name)
      expect([subpath, lost]).toEqual([subpath, []])
    }
  })
})

const short = (place: string): string => place.replace(`${root}dist/`, '')
