import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import { hasOpenssl, makeCertificate } from '../helpers/certificates.js'
import { childrenOf, type GatewayProcess, startGateway } from '../helpers/gateway-process.js'
import { bareEnv, cliPath, runCli } from '../helpers/run-cli.js'
import { callAt, echoSource, patient, startWorkers, workersOf } from './workers.js'

const cleanup: (() => unknown)[] = []

afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
})

const started = async (starting: Promise<GatewayProcess>): Promise<GatewayProcess> => {
  const gateway = await starting
  cleanup.push(gateway.dispose)
  return gateway
}

/** A command beside the gateway, as its user types it. */
const cli = (gateway: GatewayProcess, args: readonly string[]) =>
  runCli([...args, ...placeOf(gateway)], { cwd: gateway.folder, home: gateway.folder })

const placeOf = ({ folder, file }: GatewayProcess): readonly string[] => [
  ...['--config', file],
  ...['--data-path', join(folder, 'data')],
]

const talk = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'up.echo', arguments: { text: 'through the bridge' } } },
]

/** What a client's child answers to its one call. */
const overStdio = async (gateway: GatewayProcess): Promise<string> => {
  const child = spawn(process.execPath, [cliPath(), 'stdio', ...placeOf(gateway)], {
    cwd: gateway.folder,
    env: bareEnv(gateway.folder),
  })
  child.stderr.resume()
  for (const message of talk) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('"id":2')) continue
    child.stdin.end()
    await once(child, 'close')
    return line
  }
  return 'nothing'
}

describe('a gateway of several processes', () => {
  it('is found by a client over stdio, whose child starts nothing of its own', async () => {
    const gateway = await started(startWorkers({ sources: { up: echoSource } }))
    const [first] = workersOf(gateway)
    await expect.poll(() => callAt(first!, gateway.url, 'up.echo', { text: 'up' }), patient).toMatch(/^200 .*"up"/)
    const before = childrenOf(gateway.pid)
    expect(await overStdio(gateway)).toContain('through the bridge')
    expect(childrenOf(gateway.pid)).toEqual(before)
  })

  it('says who its processes are, where its one child runs, and that all is well', async () => {
    const gateway = await started(startWorkers({ sources: { up: echoSource }, fleet: { replica: 'here' } }))
    const seen = async () => JSON.parse((await cli(gateway, ['fleet', '--json'])).stdout)
    await expect.poll(seen, patient).toMatchObject({
      leases: expect.arrayContaining([expect.objectContaining({ name: 'source:up', holder: 'here' })]),
    })
    const { replicas } = (await seen()) as { replicas: { name: string; state: string }[] }
    expect(replicas.map(({ name, state }) => `${name} ${state}`).sort()).toEqual([
      'here ready',
      'here.1 ready',
      'here.2 ready',
    ])
    const doctor = await cli(gateway, ['doctor'])
    expect([doctor.code, doctor.stdout], doctor.stdout).toEqual([0, expect.stringContaining('up: ready, 3 tools')])
    const listed = await cli(gateway, ['list', '--sources'])
    expect(listed.stdout).toMatch(/up\s+stdio\s+(?:ready|elsewhere \(here\))\s+3/)
    const again = async () => (await seen()).leases.find(({ name }: { name: string }) => name === 'source:up')
    const { epoch } = await again()
    const taken = await cli(gateway, ['fleet', 'release', 'up', '--json'])
    expect(JSON.parse(taken.stdout), taken.stderr).toMatchObject({ released: 'source:up', holder: 'here' })
    // Nobody else may run it: it comes back where it was.
    await expect.poll(again, patient).toMatchObject({ holder: 'here', isFree: false, epoch: epoch + 2 })
    for (const worker of workersOf(gateway))
      await expect.poll(() => callAt(worker, gateway.url, 'up.echo', { text: 'up' }), patient).toMatch(/^200 .*"up"/)
  })

  it('counts for whoever asks what all of them did', async () => {
    const gateway = await started(startWorkers())
    const workers = workersOf(gateway)
    for (let n = 0; n < 6; n++) await callAt(workers[n % 2]!, gateway.url, 'calculator', { expression: '6*7' })
    for (let n = 0; n < 4; n++) {
      const { stats } = JSON.parse((await cli(gateway, ['stats', '--json'])).stdout)
      expect(stats.calls).toBe(6)
    }
  })

  it.runIf(hasOpenssl)('speaks TLS at each of them, and its commands trust the certificate that is shown', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pegboard-workers-'))
    cleanup.push(() => rmSync(folder, { recursive: true, force: true }))
    const tls = makeCertificate(folder, 'server')
    const gateway = await started(startWorkers({ server: { tls }, sources: { up: echoSource } }, 2, { greet: false }))
    expect(gateway.url).toMatch(/^https:/)
    const ca = readFileSync(tls.cert)
    for (const worker of workersOf(gateway))
      await expect
        .poll(() => callAt(worker, gateway.url, 'up.echo', { text: 'secret' }, { ca }), patient)
        .toMatch(/^200 .*secret/)
    const { code, stdout, stderr } = await cli(gateway, ['call', 'up.echo', 'text=by hand'])
    expect([code, stdout], stderr).toEqual([0, expect.stringContaining('by hand')])
    expect(await overStdio(gateway)).toContain('through the bridge')
  })
})

describe('a gateway that says nothing of workers', () => {
  it('is one process', async () => {
    const gateway = await started(startGateway({}))
    expect(childrenOf(gateway.pid)).toEqual([])
    const { code, stderr } = await cli(gateway, ['fleet'])
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('There is no fleet')])
    expect(code).not.toBe(0)
  })
})
