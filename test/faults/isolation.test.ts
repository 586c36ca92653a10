import { setMaxListeners } from 'node:events'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway } from '../../src/gateway.js'
import { systemClock } from '../../src/model/clock.js'
import { createHttpSource } from '../../src/sources/http/http.js'
import { createStdioHost, type StdioHost } from '../../src/sources/stdio/sessions.js'
import { createStdioSource } from '../../src/sources/stdio/stdio.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { type RawEra, type RawMessage, rawRequest } from '../helpers/clients/raw-messages.js'
import { fixtureCommand, type RunningFixture, startFixture } from '../helpers/fixture-servers.js'
import { type ServedFixture, serveFixture } from '../helpers/serve-fixture.js'

let served: ServedFixture
let host: StdioHost
let fixture: RunningFixture
const agent = new Agent({ connections: 256 })

beforeAll(async () => {
  const gateway = createGateway({ limits: { concurrency: 4096, concurrencyPerTool: 1024 } })
  host = createStdioHost({ clock: systemClock, logger: silentLogger, hostEnv: process.env })
  fixture = await startFixture('http-legacy')
  const common = { clientInfo: { name: 'test', version: '1' }, clock: systemClock, logger: silentLogger }
  const stdio = (name: string) =>
    createStdioSource({ ...common, name, ...fixtureCommand('stdio-raw'), env: { MARK: name }, host })
  await Promise.all([
    gateway.addSource('good', stdio('good')),
    gateway.addSource('hung', stdio('hung')),
    gateway.addSource('http', createHttpSource({ ...common, name: 'http', url: fixture.url })),
  ])
  served = await serveFixture(gateway)
})

afterAll(async () => {
  await agent.destroy()
  await served.close()
  await host.close()
  await fixture.stop()
})

const call = async (era: RawEra, id: number, name: string, args: object, signal?: AbortSignal): Promise<RawMessage> => {
  const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name }
  const { body } = await request(served.url, {
    dispatcher: agent,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(era === 'modern' ? modern : {}),
    },
    body: JSON.stringify(rawRequest(era, id, 'tools/call', { name, arguments: args })),
    ...(signal ? { signal } : {}),
  })
  return body.json()
}

describe('callers of one gateway', () => {
  it('T7 get no foreign answer: 50 clients with equal ids, 10,000 calls', { timeout: 120_000 }, async () => {
    const foreign: unknown[] = []
    const failed: unknown[] = []
    const client = async (number: number): Promise<void> => {
      const era = number % 2 === 0 ? 'legacy' : 'modern'
      for (let id = 0; id < 200; id++) {
        const nonce = `${number}/${id}`
        const answer = await call(era, id, id % 8 === 0 ? 'http.echo' : 'good.echo', { nonce })
        const failure = answer.error ?? (answer.result?.isError && answer.result)
        if (failure) failed.push({ nonce, failure })
        else if (answer.id !== id || answer.result?.content[0].text !== JSON.stringify({ nonce }))
          foreign.push({ nonce, answer })
      }
    }
    await Promise.all(Array.from({ length: 50 }, (_, number) => client(number)))
    expect(foreign).toEqual([])
    // A kept-alive connection that the source closes just as we write is told to its caller: the call may have run.
    expect(failed.length, JSON.stringify(failed.slice(0, 3))).toBeLessThan(10)
  })

  it('F11 are answered while a hundred calls hang', async () => {
    const leaving = new AbortController()
    setMaxListeners(0, leaving.signal)
    const hanging = Array.from({ length: 100 }, () =>
      call('modern', 1, 'hung.hang', {}, leaving.signal).catch(() => {}),
    )
    // They hang once the server behind them has heard of them.
    await call('modern', 1, 'hung.hung', {})
    // A call that waited for the others would never end; how little it feels of them is measured in bench/.
    for (let each = 0; each < 50; each++)
      expect((await call('modern', 1, 'good.add', { a: 1, b: 2 })).result?.content[0].text).toBe('3')
    leaving.abort()
    await Promise.all(hanging)
  })
})
