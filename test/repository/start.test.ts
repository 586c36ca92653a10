import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stateOfSources } from '../../scripts/sources-state.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-state-'))
  for (const name of ['src/inner', 'console', 'scripts', 'node_modules'])
    mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'src/inner/a.ts'), 'one')
  writeFileSync(join(folder, 'package-lock.json'), '{}')
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), '{}')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Whether a change of this file makes `npm start` build again. */
const rebuildsAfter = (change: () => void): boolean => {
  const before = stateOfSources(folder)
  change()
  return stateOfSources(folder) !== before
}

describe('npm start (U10)', () => {
  it('does not build again where nothing changed', () => {
    expect(rebuildsAfter(() => {})).toBe(false)
    expect(rebuildsAfter(() => cpSync(join(folder, 'src/inner/a.ts'), join(folder, 'src/inner/a.test.ts')))).toBe(false)
  })

  it.each([
    ['a source is edited', 'src/inner/a.ts', 'two'],
    ['a source is new', 'src/b.ts', ''],
    ['the console is edited', 'console/main.tsx', 'x'],
    ['the recipe is edited', 'scripts/build.mjs', 'x'],
    ['other packages are locked', 'package-lock.json', '{"a":1}'],
    ['other packages are installed', 'node_modules/.package-lock.json', '{"a":1}'],
  ])('builds again when %s', (_, file, text) => {
    expect(rebuildsAfter(() => writeFileSync(join(folder, file), text))).toBe(true)
  })

  it('builds again when a source is gone or was renamed', () => {
    expect(rebuildsAfter(() => cpSync(join(folder, 'src/inner'), join(folder, 'src/other'), { recursive: true }))).toBe(
      true,
    )
    expect(rebuildsAfter(() => rmSync(join(folder, 'src/other'), { recursive: true }))).toBe(true)
  })
})
