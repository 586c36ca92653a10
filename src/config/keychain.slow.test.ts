import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lookUp } from './look-up.js'

const ref = (body: string): string => `\${${body}}`

describe('the keychain of another platform', () => {
  let bin: string
  beforeEach(async () => {
    bin = await mkdtemp(join(tmpdir(), 'keychain-'))
  })
  afterEach(() => rm(bin, { recursive: true, force: true }))
  const ask = async (platform: NodeJS.Platform) => {
    const { values } = await lookUp(ref('keychain:s/a'), { folder: bin, env: { PATH: bin }, platform })
    return values.get('keychain:s/a')
  }
  const security = async (script: string): Promise<void> => {
    await writeFile(join(bin, 'security'), `#!${process.execPath}\n${script}`)
    await chmod(join(bin, 'security'), 0o755)
  }

  it.skipIf(process.platform === 'win32')('is asked by `security` on macOS', async () => {
    await security(`console.log(process.argv.slice(2).join('|'))`)
    expect(await ask('darwin')).toEqual({ value: 'find-generic-password|-s|s|-a|a|-w' })
    await security('process.exit(44)')
    expect(await ask('darwin')).toMatchObject({ problem: expect.stringContaining('add-generic-password') })
  })

  it('is said not to be there on Windows', async () => {
    expect(await ask('win32')).toMatchObject({ problem: expect.stringContaining('no keychain') })
  })
})

describe('a command that does not end', () => {
  it.skipIf(process.platform === 'win32')('is ended with everything it started', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hang-'))
    const { PATH } = process.env
    // The other one has the same pipe: nobody would see its end if it stayed.
    await writeFile(join(folder, 'hang.sh'), 'sleep 1000 & wait\n')
    const { values } = await lookUp(ref('cmd:sh hang.sh'), { folder, env: { PATH }, timeoutMs: 200 })
    expect(JSON.stringify([...values])).toMatch(/did not end within 0.2 s/)
    await rm(folder, { recursive: true, force: true })
  })
})
