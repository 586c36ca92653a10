import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { isSigned, type Receiver, secret, startReceiver } from '../helpers/approval-board.js'
import { describePostgres, newDatabase } from '../helpers/postgres.js'
import { LegacyClient } from './mcp-client.js'
import { adminKeyOf } from './model.mjs'
import { baseConfig, counter, type FleetProcesses, startFleet } from './replicas.mjs'

/** Where nobody listens: a port that was free a moment ago. */
const nobody = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}/mcp`
}

describePostgres('a fleet of three', () => {
  let fleet: FleetProcesses
  let receiver: Receiver

  beforeAll(async () => {
    receiver = await startReceiver()
    const config = baseConfig({
      server: { firstListMs: 60_000 },
      sources: {
        counter: counter({ isolation: 'session' }),
        // Each replica asks it for itself, and so each sees that nobody answers.
        away: { type: 'http', url: await nobody(), hosting: 'each' },
      },
      webhooks: [{ url: receiver.url, secret, events: ['source.down', 'source.back'] }],
    })
    fleet = await startFleet({ url: await newDatabase(), config, leaseMs: 2000 })
    await vi.waitUntil(async () => (await Promise.all(fleet.urls.map(hasCounter))).every((each) => each), {
      timeout: 100_000,
      interval: 200,
    })
  }, 120_000)
  afterAll(async () => {
    await fleet?.dispose()
    await receiver?.[Symbol.asyncDispose]()
  })

  const hasCounter = async (url: string): Promise<boolean> => {
    const { tools } = (await (await fetch(`${url}/api/v1/tools`)).json()) as { tools: { id: string }[] }
    return tools.some(({ id }) => id === 'counter.count')
  }

  const countAt = async (client: LegacyClient, url: string, id: number): Promise<{ count: number; pid: number }> => {
    const { result, error } = await (await client.call(url, id, 'counter.count')).find((message) => message.id === id)
    if (error) throw new Error(JSON.stringify(error))
    return JSON.parse(result.content[0].text)
  }

  it('gives each client session a process of its own, whichever replica it comes to (N9)', async () => {
    const clients = await Promise.all(fleet.urls.map((url) => LegacyClient.begin(url)))
    const seen: { count: number; pid: number }[][] = clients.map(() => [])
    // In turns, so that what one counts would show in the other's figure.
    for (const [round, url] of [...fleet.urls, ...fleet.urls].entries())
      for (const [at, client] of clients.entries()) seen[at]!.push(await countAt(client, url, round + 1))
    for (const counted of seen) {
      expect(counted.map(({ count }) => count)).toEqual([1, 2, 3, 4, 5, 6])
      expect(new Set(counted.map(({ pid }) => pid)).size).toBe(1)
    }
    expect(new Set(seen.map(([first]) => first!.pid)).size).toBe(clients.length)
  })

  it('tells once that a source is down, though all of them see it (N15)', async () => {
    const authorization = `Bearer ${adminKeyOf(fleet.replicas)}`
    const outcomes = async (url: string): Promise<string[]> => {
      const text = await (await fetch(`${url}/metrics`, { headers: { authorization } })).text()
      return [...text.matchAll(/pegboard_events_total\{type="source\.down",outcome="(\w+)"\} [1-9]/g)].map(
        ([, each]) => each!,
      )
    }
    const all = async (): Promise<string[]> => (await Promise.all(fleet.urls.map(outcomes))).flat().sort()
    await expect.poll(all, { timeout: 50_000 }).toEqual(['repeated', 'repeated', 'told'])
    const first = await receiver.nth(1)
    expect(isSigned(first)).toBe(true)
    expect(first.message).toMatchObject({ type: 'source.down', subject: { type: 'source', id: 'away' } })
    expect(first.message.replica).toEqual(expect.any(String))
    expect(receiver.received).toHaveLength(1)
  })
})
