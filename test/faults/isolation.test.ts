import { setMaxListeners } from 'node:events'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway } from '../../src/gateway.js'
import { systemClock } from '../../src/model/clock.js'
import { createHttpSource } from '../../src/sources/http/http.js'
import { createStdioHost, type StdioHost } from '../../src/sources/stdio/sessions.js'
import { createStdioSource } from '../../src/sources/stdio/stdio.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { type RawEra, type RawMessage, rawRequest } from '../mcp/clients/raw-messages.js'
import { fixtureCommand, type RunningFixture, startFixture } from '../mcp/fixture-servers.js'
import { type ServedFixture, serveFixture } from '../mcp/serve-fixture.js'

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
    let foreign = 0
    const client = async (number: number): Promise<void> => {
      const era = number % 2 === 0 ? 'legacy' : 'modern'
      for (let id = 0; id < 200; id++) {
        const nonce = `${number}/${id}`
        const answer = await call(era, id, id % 8 === 0 ? 'http.echo' : 'good.echo', { nonce })
        if (answer.id !== id || answer.result?.content[0].text !== JSON.stringify({ nonce })) foreign += 1
      }
    }
    await Promise.all(Array.from({ length: 50 }, (_, number) => client(number)))
    expect(foreign).toBe(0)
  })

  it('F11 do not feel a source that hangs', { timeout: 60_000 }, async () => {
    const alone: number[] = []
    const beside: number[] = []
    const timed = async (times: number[]): Promise<void> => {
      const startedAt = performance.now()
      await call('modern', 1, 'good.add', { a: 1, b: 2 })
      times.push(performance.now() - startedAt)
    }
    for (let round = 0; round < 10; round++) {
      for (let each = 0; each < 50; each++) await timed(alone)
      const leaving = new AbortController()
      setMaxListeners(0, leaving.signal)
      const hanging = Array.from({ length: 100 }, () =>
        call('modern', 1, 'hung.hang', {}, leaving.signal).catch(() => {}),
      )
      // They hang once the server behind them has heard of them.
      await call('modern', 1, 'hung.hung', {})
      for (let each = 0; each < 50; each++) await timed(beside)
      leaving.abort()
      await Promise.all(hanging)
    }
    // Interleaved in one run, so that a slow machine is slow for both; a call that waited for the other would take for ever.
    expect(median(beside)).toBeLessThan(3 * median(alone))
  })
})

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!
