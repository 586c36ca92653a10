import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../helpers/run-cli.js'
import { type ServedCli, serveCli } from './serve-cli.js'

const server = fileURLToPath(new URL('../helpers/servers/stdio-modern.mjs', import.meta.url))

describe('a gateway that was started without a file', () => {
  let home: string
  let gateway: ServedCli
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'pegboard-live-add-'))
    gateway = await serveCli(home)
  })
  afterAll(async () => {
    await gateway.stop()
    rmSync(home, { recursive: true, force: true })
  })
  const pegboard = (...args: readonly string[]) => runCli(args, { cwd: home, home })
  const states = async (): Promise<string> => (await pegboard('stats', '--port', gateway.port)).stdout

  it('takes up what `add`, `disable` and `remove` write, without a restart', async () => {
    expect(existsSync(join(home, 'pegboard.json'))).toBe(false)
    expect((await pegboard('add', 'good', '--', process.execPath, server)).code).toBe(0)
    await expect.poll(states, { timeout: 30_000 }).toMatch(/good +stdio +ready/)
    expect((await pegboard('disable', 'good')).code).toBe(0)
    await expect.poll(states, { timeout: 30_000 }).toMatch(/good +stdio +stopped/)
    expect((await pegboard('remove', 'good')).code).toBe(0)
    await expect.poll(states, { timeout: 30_000 }).not.toContain('good')
  }, 120_000)
})
