import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type GatewayProcess, isAlive } from '../helpers/gateway-process.js'
import { ask, startWorkers, workersOf } from './workers.js'

const open: GatewayProcess[] = []

afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.dispose()
})

const start = async (...asked: Parameters<typeof startWorkers>): Promise<GatewayProcess> => {
  const gateway = await startWorkers(...asked)
  open.push(gateway)
  return gateway
}

const callBody = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'calculator', arguments: { expression: '6*7' } },
}
const modern = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'calculator' }

/** A call by a client of the modern era, over a connection of its own. */
const call = ({ url }: GatewayProcess) =>
  ask(url, {
    headers: modern,
    body: {
      ...callBody,
      params: {
        ...callBody.params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  })

const adminKey = ({ folder }: GatewayProcess): string => readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim()

const metrics = async (gateway: GatewayProcess, name: string): Promise<number> => {
  const { body } = await ask(new URL('/metrics', gateway.url).href, {
    method: 'GET',
    headers: { Authorization: `Bearer ${adminKey(gateway)}` },
  })
  const rows = body.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return rows.reduce((sum, row) => sum + Number(row.slice(row.lastIndexOf(' ') + 1)), 0)
}

describe('several processes behind one port', () => {
  it('answer, each of them, and count together what they did', async () => {
    const gateway = await start({}, 3)
    expect(workersOf(gateway)).toHaveLength(3)
    const seen: number[] = []
    for (let done = 1; done <= 12; done++) {
      const { status, body } = await call(gateway)
      expect([status, body]).toEqual([200, expect.stringContaining('42')])
      // Whichever of them is asked, the sum never shrinks.
      seen.push(await metrics(gateway, 'pegboard_calls_total'))
    }
    expect(seen).toEqual(Array.from({ length: 12 }, (_, n) => n + 1))
  })

  it('go on when one is killed: another takes its place, and what it had counted is not forgotten', async () => {
    const gateway = await start()
    for (let n = 0; n < 6; n++) await call(gateway)
    const before = await metrics(gateway, 'pegboard_calls_total')
    const [victim] = workersOf(gateway)
    process.kill(victim!, 'SIGKILL')
    await gateway.logged('another takes its place')
    for (let n = 0; n < 10; n++) expect((await call(gateway)).status).toBe(200)
    await expect.poll(() => workersOf(gateway).filter((pid) => pid !== victim)).toHaveLength(2)
    expect(await metrics(gateway, 'pegboard_calls_total')).toBe(before + 10)
    // Also where nobody was left to hold the port.
    for (const pid of workersOf(gateway)) process.kill(pid, 'SIGKILL')
    await expect
      .poll(() =>
        call(gateway).then(
          ({ status }) => status,
          () => 'refused',
        ),
      )
      .toBe(200)
    expect(gateway.log()).not.toContain('cannot serve')
  })

  it('end with their parent, however it ends', async () => {
    const gateway = await start()
    const workers = workersOf(gateway)
    gateway.child.kill('SIGKILL')
    await gateway.exited
    await expect.poll(() => workers.filter(isAlive)).toEqual([])
  })

  it('end gently at a signal: while a balancer notices, nothing that is asked fails', async () => {
    const gateway = await start({ server: { drainMs: 1000 } })
    const workers = workersOf(gateway)
    const isReady = async () => (await ask(new URL('/readyz', gateway.url).href, { method: 'GET' })).status === 200
    expect(await isReady()).toBe(true)
    let answered = 0
    const caller = async (): Promise<void> => {
      // One of them was asked whether it is ready, and all say so together.
      while (await isReady()) {
        expect((await call(gateway)).status).toBe(200)
        answered++
      }
    }
    const callers = Promise.all(Array.from({ length: 8 }, caller))
    await expect.poll(() => answered).toBeGreaterThan(20)
    gateway.child.kill('SIGTERM')
    await callers
    expect(await gateway.exited).toBe(0)
    expect(workers.filter(isAlive)).toEqual([])
  })

  it('introduce one admin key, known to all', async () => {
    const gateway = await start({}, 3)
    for (let n = 0; n < 6; n++) {
      const { status } = await ask(new URL('/api/admin/v1/keys', gateway.url).href, {
        method: 'GET',
        headers: { Authorization: `Bearer ${adminKey(gateway)}` },
      })
      expect(status).toBe(200)
    }
    const keys = JSON.parse(readFileSync(join(gateway.folder, 'data', 'keys.json'), 'utf8'))
    expect(JSON.stringify(keys).match(/"hash"/g)).toHaveLength(1)
  })
})
