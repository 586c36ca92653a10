import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { builtCli } from '../helpers/built-cli.js'
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js'

let folder = ''
let running: GatewayProcess | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-restart-'))
})
afterEach(async () => {
  await running?.dispose()
  rmSync(folder, { recursive: true, force: true })
})

const start = async (config: object = {}, env: Record<string, string> = {}): Promise<GatewayProcess> => {
  await running?.dispose()
  running = await startGateway(config, { folder, env, greet: false })
  return running
}

const ask = async (id: string | undefined, method: string, params: object = {}): Promise<Response> =>
  fetch(running!.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(id === undefined ? {} : { 'mcp-session-id': id }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
const begin = async (): Promise<string> => {
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  return (await ask(undefined, 'initialize', hello)).headers.get('mcp-session-id')!
}
const statusOf = async (id: string): Promise<number> => (await ask(id, 'tools/list')).status
const kept = (): string => readFileSync(join(folder, 'data', 'secret'), 'utf8').trim()

describe('sessions of a gateway that is started again', { timeout: 120_000 }, () => {
  it('go on after kill -9 and after an update, and those that ended stay ended', async () => {
    await start()
    const id = await begin()
    await running!.dispose()
    await start()
    expect(await statusOf(id)).toBe(200)
    const ended = await begin()
    expect((await fetch(running!.url, { method: 'DELETE', headers: { 'mcp-session-id': ended } })).status).toBe(204)
    running!.child.kill('SIGTERM')
    expect(await running!.exited).toBe(0)
    await start()
    expect([await statusOf(id), await statusOf(ended)]).toEqual([200, 404])
    expect(statSync(join(folder, 'data', 'secret')).mode & 0o777).toBe(0o600)
    expect(running!.log()).not.toContain(kept())
  })

  it('go on over a change of the secret while the earlier one is named', async () => {
    await start()
    const id = await begin()
    const env = { PEGBOARD_FLEET_SECRET: 'the secret that comes after the first' }
    await start({ fleet: { previousSecrets: [kept()] } }, env)
    expect(await statusOf(id)).toBe(200)
    const later = await begin()
    await start({}, env)
    expect([await statusOf(id), await statusOf(later)]).toEqual([404, 200])
  })

  it('end with a process that keeps nothing', async () => {
    await start({ storage: { backend: 'memory' } })
    const id = await begin()
    await start({ storage: { backend: 'memory' } })
    expect(await statusOf(id)).toBe(404)
  })

  it('have one secret of a folder, though many processes make it at once', async () => {
    const module = pathToFileURL(join(dirname(builtCli()), '..', 'storage', 'kept-secret.js')).href
    // Every process makes sixty folders, so that some meet between any two steps of it.
    const program = `const { keptSecret } = await import(${JSON.stringify(module)})
      const folders = Array.from({ length: 60 }, (_, each) => process.argv[1] + '/' + each + '/data')
      process.stdin.once('data', () => {
        process.stdout.write(JSON.stringify(folders.map((folder) => keptSecret(folder, console))))
        process.stdin.destroy()
      })
      process.stderr.write('ready')`
    const all = Array.from({ length: 8 }, () => spawn(process.execPath, ['--input-type=module', '-e', program, folder]))
    await Promise.all(all.map(({ stderr }) => once(stderr, 'data')))
    const told = all.map(({ stdout, stderr }) => Promise.all([text(stdout), text(stderr)]))
    for (const { stdin } of all) stdin.write('now')
    const outcomes = await Promise.all(told)
    expect(outcomes.map(([, error]) => error)).toEqual(Array(8).fill(''))
    const folders = Array.from({ length: 60 }, (_, each) => join(folder, String(each), 'data'))
    const kept = folders.map((each) => readFileSync(join(each, 'secret'), 'utf8').trim())
    for (const [said] of outcomes) expect(JSON.parse(said)).toEqual(kept)
    expect(folders.map((each) => readdirSync(each))).toEqual(Array(60).fill(['secret']))
  })
})
