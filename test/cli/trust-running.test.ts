import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../helpers/run-cli.js'
import { startLineClient } from './line-client.js'
import { type ServedCli, serveCli } from './serve-cli.js'

const server = fileURLToPath(new URL('../helpers/servers/stdio-modern.mjs', import.meta.url))

let root: string
let home: string
let folder: string
let gateway: ServedCli | undefined
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pegboard-trust-running-'))
  home = join(root, 'home')
  folder = join(root, 'work')
  for (const each of [home, folder]) mkdirSync(each)
})
afterEach(async () => {
  await gateway?.stop()
  gateway = undefined
  rmSync(root, { recursive: true, force: true })
})

const file = () => join(folder, 'pegboard.json')
const write = (config: object, where = file()) => writeFileSync(where, JSON.stringify(config))
const pegboard = (...args: readonly string[]) => runCli(args, { cwd: folder, home, trusts: false })
const trace = (name: string) => join(root, `${name}-ran`)
const traced = (name: string) => ({
  command: process.execPath,
  args: [
    '--import',
    `data:text/javascript,import('node:fs').then(f=>f.writeFileSync('${trace(name)}',String(process.pid)))`,
    server,
  ],
})
const quiet = { command: process.execPath, args: [server] }
const serve = async () => {
  gateway = await serveCli(home, { cwd: folder, named: false })
  return gateway
}
const statesAt = async ({ url }: ServedCli): Promise<Record<string, string>> => {
  const { sources } = (await (await fetch(`${url}/api/v1/sources`)).json()) as {
    sources: { name: string; state: string }[]
  }
  return Object.fromEntries(sources.map(({ name, state }) => [name, state]))
}
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('a gateway on a file of its folder', () => {
  it('stops a source whose command changed, leaves the others alone, and starts it after a yes (T16)', async () => {
    write({ sources: { x: traced('first'), quiet } })
    await pegboard('trust', '--yes')
    const served = await serve()
    await expect.poll(() => statesAt(served), { timeout: 30_000 }).toEqual({ x: 'ready', quiet: 'ready' })
    const old = Number(readFileSync(trace('first'), 'utf8'))
    write({ sources: { x: traced('second'), quiet } })
    await expect.poll(() => statesAt(served), { timeout: 30_000 }).toEqual({ x: 'pending', quiet: 'ready' })
    await expect.poll(() => isAlive(old), { timeout: 30_000 }).toBe(false)
    // Seen wherever sources are seen, and not started by whoever asks for it.
    const key = readFileSync(join(home, '.local/share/pegboard/admin.key'), 'utf8').trim()
    const admin = await fetch(`${served.url}/api/admin/v1/sources`, { headers: { authorization: `Bearer ${key}` } })
    const rows = ((await admin.json()) as { sources: { name: string; state: string; reason?: string }[] }).sources
    expect(rows.find(({ name }) => name === 'x')).toMatchObject({
      state: 'pending',
      reason: expect.stringContaining(`pegboard trust ${file()}`),
    })
    expect((await pegboard('restart', 'x')).code).not.toBe(0)
    const listed = await pegboard('list', '--sources')
    expect(listed.stdout).toMatch(/x +stdio +pending/)
    expect(listed.stderr).toContain(`pegboard trust ${file()}`)
    expect((await pegboard('doctor')).stdout).toContain('x: pending; it was not started')
    expect(existsSync(trace('second'))).toBe(false)
    await pegboard('trust', '--yes')
    await expect.poll(() => statesAt(served), { timeout: 30_000 }).toEqual({ x: 'ready', quiet: 'ready' })
    expect(existsSync(trace('second'))).toBe(true)
    await pegboard('trust', '--revoke')
    await expect.poll(() => statesAt(served), { timeout: 30_000 }).toEqual({ x: 'pending', quiet: 'pending' })
  }, 180_000)

  it('takes up nothing that appears later, before a yes (S1)', async () => {
    const served = await serve()
    write({ sources: { x: traced('late') } })
    await expect.poll(() => served.log(), { timeout: 30_000 }).toContain('nobody has said yes')
    expect(existsSync(trace('late'))).toBe(false)
    await pegboard('trust', '--yes')
    await expect.poll(() => statesAt(served), { timeout: 30_000 }).toMatchObject({ x: 'ready' })
    // Settings that would open it are not taken up either, and nothing stops for it.
    write({ sources: { x: traced('late') }, profiles: { default: { deny: [] } } })
    await expect.poll(() => served.log(), { timeout: 30_000 }).toContain('its settings have changed')
    expect(await statesAt(served)).toMatchObject({ x: 'ready' })
  }, 120_000)

  it('takes what an operator writes through it for a yes to that', async () => {
    write({ sources: { quiet } })
    await pegboard('trust', '--yes')
    const served = await serve()
    const key = readFileSync(join(home, '.local/share/pegboard/admin.key'), 'utf8').trim()
    const saved = await fetch(`${served.url}/api/admin/v1/sources/mine`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'stdio', ...traced('mine') }),
    })
    expect(saved.status, await saved.text()).toBeLessThan(300)
    await expect.poll(() => statesAt(served), { timeout: 30_000 }).toMatchObject({ mine: 'ready', quiet: 'ready' })
    expect((await pegboard('check', '--json')).stdout).toContain('"trust": "trusted"')
  }, 120_000)
})

describe('a client over stdio (S1)', () => {
  it('is served nothing of the folder it starts us in; the file that `connect` names it is served, and followed', async () => {
    write({ sources: { x: traced('evil') } })
    const stranger = startLineClient(folder, ['--alone'], {}, { home, named: false })
    await stranger.greet()
    const { result } = await stranger.ask('tools/list')
    expect(JSON.stringify(result)).not.toContain('x__')
    await stranger.close()
    expect(existsSync(trace('evil'))).toBe(false)

    const elsewhere = join(root, 'elsewhere')
    mkdirSync(elsewhere)
    mkdirSync(join(home, '.cursor'))
    const connected = await runCli(['connect', 'cursor', '--yes', '--json'], { cwd: elsewhere, home, trusts: false })
    const own = join(home, '.config/pegboard/pegboard.json')
    expect(JSON.parse(connected.stdout).entry.args.slice(1)).toEqual(['stdio', '--config', own])
    const client = startLineClient(folder, ['--alone', '--config', own], {}, { home, named: false })
    await client.greet()
    await client.ask('tools/list')
    const added = await runCli(['add', 'late', '--', process.execPath, server], { cwd: elsewhere, home, trusts: false })
    expect([
      added.code,
      JSON.parse((await runCli(['check', '--json'], { cwd: elsewhere, home, trusts: false })).stdout).file,
    ]).toEqual([0, own])
    await expect
      .poll(async () => JSON.stringify((await client.ask('tools/list')).result), { timeout: 30_000 })
      .toContain('late__')
    await client.close()
    expect(existsSync(trace('evil'))).toBe(false)
  }, 120_000)
})
