import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { editFile, editText, sourceSection } from './edit.js'
import { editYamlText } from './edit-yaml.js'

const commented = `{
  // my servers
  "mcpServers": {
    "a": { "command": "x" }, // keep me
  },
}
`

describe('editText', () => {
  it('keeps comments, order and what it was not asked about', () => {
    const edited = editText(commented, [{ path: ['mcpServers', 'b'], value: { command: 'y' } }])
    expect(edited).toContain('// my servers')
    expect(edited).toContain('// keep me')
    expect(parse(edited, [], { allowTrailingComma: true })).toEqual({
      mcpServers: { a: { command: 'x' }, b: { command: 'y' } },
    })
  })

  it('keeps the comments of YAML', () => {
    const edited = editYamlText('# mine\nsources:\n  a:\n    command: x # this\n', [
      { path: ['sources', 'a', 'enabled'], value: false },
    ])
    expect(edited).toBe('# mine\nsources:\n  a:\n    command: x # this\n    enabled: false\n')
  })

  it('takes out what it put in', () => {
    const name = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text !== '__proto__' && text !== 'a')
    fc.assert(
      fc.property(name, fc.jsonValue({ maxDepth: 2 }), (key, value) => {
        const path = ['mcpServers', key]
        const added = editText(commented, [{ path, value }])
        const removed = editText(added, [{ path, value: undefined }])
        expect(parse(removed, [], { allowTrailingComma: true })).toEqual({ mcpServers: { a: { command: 'x' } } })
      }),
    )
  })

  it('begins an empty file', () => {
    expect(JSON.parse(editText('', [{ path: ['sources', 'a'], value: { command: 'x' } }]))).toEqual({
      sources: { a: { command: 'x' } },
    })
  })
})

describe('editFile', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pegboard-edit-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('replaces the file whole and leaves nothing beside it', async () => {
    const file = join(folder, 'pegboard.json')
    writeFileSync(file, commented, { mode: 0o640 })
    expect(await sourceSection(file)).toBe('mcpServers')
    await editFile(file, [{ path: ['mcpServers', 'a'], value: undefined }])
    expect(readFileSync(file, 'utf8')).toContain('// my servers')
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(readdirSync(folder)).toEqual(['pegboard.json'])
  })

  it('leaves a file alone that nobody may write, although its folder would let it', async () => {
    const file = join(folder, 'pegboard.json')
    writeFileSync(file, commented, { mode: 0o444 })
    await expect(editFile(file, [{ path: ['x'], value: 1 }])).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: expect.stringContaining('is read-only'),
    })
    expect(readFileSync(file, 'utf8')).toBe(commented)
    expect(readdirSync(folder)).toEqual(['pegboard.json'])
  })

  it('says so and changes nothing when it cannot', async () => {
    await expect(editFile(folder, [{ path: ['x'], value: 1 }])).rejects.toMatchObject({ code: 'CONFIG_UNREADABLE' })
    expect(readdirSync(folder)).toEqual([])
  })
})
