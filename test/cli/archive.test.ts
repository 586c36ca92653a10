import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../helpers/run-cli.js'

/** One entry of a zip archive, stored, under a name that leads out of the folder it is unpacked in. */
const zipOf = (name: string, content: string): Buffer => {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt32LE(content.length, 18)
  head.writeUInt32LE(content.length, 22)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name), Buffer.from(content)])
}

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-archive-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe('T36 an archive in the place of a file', () => {
  it.each([
    ['a zip that leads out', zipOf('../../out.json', '{"mcpServers":{}}')],
    ['a zip with an absolute name', zipOf('/tmp/out.json', '{}')],
    ['a gzip', gzipSync('{"mcpServers":{"x":{"command":"true"}}}')],
  ])('is not unpacked, and the error says what is wrong: %s', async (_what, bytes) => {
    const file = join(home, 'servers.zip')
    writeFileSync(file, bytes)
    const before = readdirSync(home).length
    for (const args of [
      ['check', '--config', file],
      ['list', '--config', file],
    ]) {
      const { code, stdout, stderr } = await runCli(args, { cwd: home, home })
      expect(code).not.toBe(0)
      expect(stdout + stderr).toContain('servers.zip')
    }
    expect(readdirSync(home).filter((name) => !name.startsWith('.')).length).toBe(before)
  })
})
