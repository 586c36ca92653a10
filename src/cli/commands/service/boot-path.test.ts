import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootPath } from './boot-path.js'

describe('the PATH of a service', () => {
  let home: string
  const made = (...parts: readonly string[]): string => {
    const folder = join(home, ...parts)
    mkdirSync(folder, { recursive: true })
    return folder
  }
  const file = (name: string): string => {
    writeFileSync(join(home, name), '')
    return join(home, name)
  }
  const open = (name: string): string => {
    const folder = made(name)
    chmodSync(folder, 0o777)
    return folder
  }
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'pegboard-path-'))
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  const pathOf = (folders: readonly string[], passing: readonly string[] = []): readonly string[] =>
    bootPath({ path: folders.join(delimiter), node: join(home, 'node', 'bin', 'node'), home, passing })

  it('begins with the folder of this node, in which npx is', () => {
    expect(pathOf(['/usr/bin'])[0]).toBe(join(home, 'node', 'bin'))
  })

  it('keeps the order of the shell, each folder once, and adds where uvx usually is', () => {
    const tools = made('tools')
    const local = made('.local', 'bin')
    const path = pathOf([tools, '/usr/bin', `${tools}/`])
    expect(path.filter((folder) => folder === tools)).toHaveLength(1)
    expect(path.indexOf(tools)).toBeLessThan(path.indexOf('/usr/bin'))
    expect(path).toContain(local)
  })

  it.each([
    ['a relative folder', () => 'bin'],
    ['an empty entry', () => ''],
    ['a folder that is not there', () => join(home, 'gone')],
    ['a file', () => file('file')],
    ['what npm puts there for a script', () => made('app', 'node_modules', '.bin')],
    ['one that everybody may write to', () => open('open')],
  ])('leaves out %s', (_, folder) => {
    const left = folder()
    expect(pathOf([left, '/usr/bin'])).not.toContain(left)
  })

  it('leaves out what is gone with this session', () => {
    const shim = made('session', 'fnm_multishells', '1', 'bin')
    expect(pathOf([shim])).toContain(shim)
    expect(pathOf([shim], [join(home, 'session')])).not.toContain(shim)
  })
})
