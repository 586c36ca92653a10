import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeFolder, makeFolderSync } from './make-folder.js'

const root = mkdtempSync(join(tmpdir(), 'pegboard-folder-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const makers = {
  'makeFolder waits': makeFolder,
  'makeFolderSync does not': async (path: string) => makeFolderSync(path),
}

describe.each(Object.entries(makers))('%s', (name, make) => {
  const at = (...parts: string[]) => join(root, name, ...parts)

  it('and makes all that is missing, for its owner alone; what is there stays', async () => {
    await make(at('a', 'b', 'c'))
    await make(at('a', 'b', 'c'))
    expect([at('a'), at('a', 'b', 'c')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700])
  })

  it('and fails where a file is in the way, or a link that leads nowhere', async () => {
    await make(at())
    writeFileSync(at('file'), '')
    symlinkSync(at('nowhere'), at('link'))
    await expect(make(at('file'))).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(make(at('file', 'x'))).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(make(at('link'))).rejects.toMatchObject({ code: 'EEXIST' })
  })

  it.runIf(process.platform === 'linux')('and fails below /proc, which takes no folders', async () => {
    await expect(make('/proc/pegboard/data')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
