import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildStorage, type StorageBuild } from './build.mjs'

const scripts = ['full-disk.mjs', 'read-only.mjs'].map((name) => fileURLToPath(new URL(name, import.meta.url)))
const mount = mkdtempSync(join(tmpdir(), 'pegboard-full-'))

/** In namespaces of its own, so neither root nor any trace on this machine is needed. $0 is the mount point. */
const onTinyDisk = (shell: string, ...values: readonly string[]) =>
  spawnSync('unshare', ['-rm', 'sh', '-c', `mount -t tmpfs -o size=256k none "$0" && ${shell}`, mount, ...values], {
    encoding: 'utf8',
  })

const probe = onTinyDisk('true')
const permitted = probe.status === 0
if (!permitted)
  console.info(`full-disk tests skipped: no mount namespaces here (${probe.stderr || probe.error?.message})`)

describe.runIf(permitted)('a store on a small disk', () => {
  let build: StorageBuild
  beforeAll(() => {
    build = buildStorage()
  })
  afterAll(() => {
    build.remove()
    rmSync(mount, { recursive: true, force: true })
  })
  // First fills the disk and makes room again, then reads what is there once it is read-only.
  const run = (backend: string): readonly unknown[] => {
    const shell = [
      '"$1" "$2" "$4" "$5" "$0"',
      '"$1" "$3" "$4" "$5" "$0" tidy',
      'mount -o remount,ro "$0"',
      '"$1" "$3" "$4" "$5" "$0"',
    ].join(' && ')
    const { stdout, stderr } = onTinyDisk(shell, process.execPath, ...scripts, build.entry, backend)
    expect(stderr.replace(/.*ExperimentalWarning.*\n.*trace-warnings.*\n/g, '')).toBe('')
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
  const failed = (words: string) => ({ code: 'STORE_WRITE_FAILED', message: expect.stringContaining(words) })

  it.each(['json', 'sqlite'])('keeps what it had when full or read-only, and recovers (F4, D172): %s', (backend) => {
    const [full, readOnly] = run(backend)
    expect(full).toEqual({
      full: failed('disk is full'),
      inMemory: ['a', 'b'],
      problems: [],
      reopenedFull: ['a', 'b'],
      retried: 'ok',
      afterRetry: ['a', 'b', 'c'],
      finally: ['a', 'b', 'c'],
    })
    expect(readOnly).toEqual({
      ids: ['a', 'b', 'c'],
      save: failed('read-only'),
      delete: failed('read-only'),
      counts: [0, 0, 0],
      problems: [],
    })
  })
})
