import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askModern } from '../helpers/ask-modern.js'
import { type CliRun, runCli } from '../helpers/run-cli.js'
import { type ServedCli, serveCli } from './serve-cli.js'

const server = fileURLToPath(new URL('../helpers/servers/stdio-modern.mjs', import.meta.url))
const asker = fileURLToPath(new URL('../helpers/servers/asker.mjs', import.meta.url))
let home: string
let gateway: ServedCli
let port: string

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-running-'))
  const sources = {
    good: { command: process.execPath, args: [server] },
    asker: { command: process.execPath, args: [asker] },
  }
  writeFileSync(join(home, 'pegboard.json'), JSON.stringify({ sources }))
  expect((await pegboard('lock', 'write')).code).toBe(0)
  edit((tools) => {
    tools['good.echo']!.hash = 'another'
    tools['good.echo']!.definition.description = 'What it said before'
    delete tools['good.add']
  })
  gateway = await serveCli(home)
  port = gateway.port
})
afterAll(async () => {
  await gateway.stop()
  rmSync(home, { recursive: true, force: true })
})

const pegboard = (...args: readonly string[]): Promise<CliRun> => runCli(args, { cwd: home, home })
const asked = (...args: readonly string[]): Promise<CliRun> => pegboard(...args, '--port', port)

type Locked = Record<string, { hash: string; definition: { description?: string } }>
const edit = (change: (tools: Locked) => unknown): void => {
  const file = join(home, 'pegboard.lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { tools: Locked }
  change(lock.tools)
  writeFileSync(file, JSON.stringify(lock))
}

const overview = async () =>
  JSON.parse((await asked('stats', '--json')).stdout) as { tools: number; held: number; stats: { calls: number } }

describe('a running gateway', () => {
  it('T17: holds back what is not what the lock file says', async () => {
    expect(await overview()).toMatchObject({ tools: 9, held: 2 })
    const { code, stdout } = await pegboard('lock', 'diff')
    expect(code).toBe(1)
    expect(stdout).toContain('+ good.add (new)')
    expect(stdout).toContain('-   "description": "What it said before"')
    expect((await pegboard('call', 'good.echo', 'text=x')).stderr).toMatch(/is held back: .*pegboard lock diff/)
  })

  it('takes an approval in the lock file up without a restart', async () => {
    expect((await pegboard('lock', 'approve', 'good.ecko')).stderr).toContain('did you mean "good.echo"?')
    expect((await pegboard('lock', 'approve', 'good.echo')).code).toBe(0)
    expect((await pegboard('lock', 'approve', '--all')).code).toBe(0)
    expect((await pegboard('lock', 'diff')).code).toBe(0)
    await expect.poll(async () => (await overview()).held).toBe(0)
    expect((await overview()).tools).toBe(11)
  })

  it('holds a tool back whose approval is taken out of the lock file, and lets it in again', async () => {
    edit((tools) => delete tools['good.fail'])
    await expect.poll(async () => (await overview()).held).toBe(1)
    expect((await pegboard('lock', 'approve', 'good.fail')).code).toBe(0)
    await expect.poll(async () => (await overview()).tools).toBe(11)
  }, 60_000)

  it('tells its state, its log and its load', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/tools/good.echo/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'hi' }),
    })
    expect(answer.status).toBe(200)
    const { stdout } = await asked('stats')
    // The one that was held back is counted where it was asked for (U4).
    expect(stdout).toMatch(/calls 2, errors 1/)
    expect(stdout).toMatch(/good +stdio +ready +10/)
    expect((await asked('top')).stdout).toMatch(/CALLS\/MIN.*\n2 +1 .*good\.echo/)
    expect((await asked('logs', 'good', '--lines', '500')).stdout).toContain('is held back')
    const line = (await asked('logs', '--json', '--lines', '1')).stdout.trim()
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), message: expect.any(String) })
  })

  it('tells which calls wait for an answer of their caller, and ends one', async () => {
    expect((await asked('parked')).stdout).toContain('No call waits')
    const origin = `http://127.0.0.1:${port}`
    expect(await askModern(origin, 'asker__greet')).toMatchObject({ resultType: 'input_required' })
    const [call] = JSON.parse((await asked('parked', '--json')).stdout) as { id: string; name: string }[]
    expect(call).toMatchObject({ name: 'asker.greet', asks: ['elicitation/create'] })
    const { stdout } = await asked('parked')
    expect(stdout).toMatch(/asker\.greet +\S+ +elicitation +\d+ s +\d+ s/)
    expect(stdout).not.toContain('in confidence')
    expect((await asked('stats')).stdout).toContain('1 waiting for an answer')
    expect((await asked('top')).stdout).toContain('asker.greet')
    expect((await asked('parked', '--cancel', call!.id)).code).toBe(0)
    const again = await asked('parked', '--cancel', call!.id)
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('no longer waits') })
  }, 60_000)

  it('restarts a source, and knows none that is not there', async () => {
    expect(await asked('restart', 'good')).toMatchObject({ code: 0, stdout: "'good' is ready.\n" })
    expect((await asked('restart', 'nope')).code).toBe(2)
  })

  it('lets nobody in without the admin key', async () => {
    const { code, stderr } = await asked('stats', '--key', 'rtk_wrong')
    expect(code).toBe(3)
    expect(stderr).toContain('PEGBOARD_ADMIN_KEY')
  })

  it('is seen by doctor', async () => {
    const { stdout } = await pegboard('doctor', '--json', '--log-level', 'error')
    const { findings } = JSON.parse(stdout) as { findings: { area: string; state: string; message: string }[] }
    expect(findings.find(({ area }) => area === 'storage')?.message).toContain('in use by process')
  })
})

describe('profile', () => {
  it('list and show say what the tool list costs', async () => {
    expect((await pegboard('profile', 'list')).stdout).toMatch(/default +flat +11 +11 +\d+/)
    const shown = JSON.parse((await pegboard('profile', 'show', '--json')).stdout) as { shown: { name: string }[] }
    expect(shown.shown.map(({ name }) => name)).toContain('good__echo')
  })
})
