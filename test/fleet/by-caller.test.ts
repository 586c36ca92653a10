import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { describePostgres, newDatabase } from '../helpers/postgres.js'
import { modernCall } from './mcp-client.js'
import { adminKeyOf } from './model.mjs'
import { baseConfig, type FleetProcesses, startFleet } from './replicas.mjs'

/** A server of the legacy era that gives sessions, and remembers in each how often it was called there. */
const openRemembering = async (): Promise<{ server: Server; url: string }> => {
  const sessions = new Map<string, number>()
  const tools = [{ name: 'count', description: 'Counts in its session', inputSchema: { type: 'object' } }]
  const server = createServer(async (request, response) => {
    const known = request.headers['mcp-session-id'] as string | undefined
    if (request.method === 'DELETE') return response.writeHead(200).end()
    if (request.method !== 'POST') return response.writeHead(405).end()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { id, method, params } = JSON.parse(String(Buffer.concat(chunks)))
    if (id === undefined) return response.writeHead(202).end()
    const say = (body: object, headers: Record<string, string> = {}): void =>
      void response
        .writeHead(200, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
    if (method === 'initialize') {
      const session = randomUUID()
      sessions.set(session, 0)
      const { protocolVersion } = params
      const serverInfo = { name: 'remembering', version: '1' }
      return say(
        { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } },
        { 'mcp-session-id': session },
      )
    }
    if (known === undefined) return say({ error: { code: -32600, message: 'Initialize first.' } })
    if (!sessions.has(known)) return response.writeHead(404).end()
    if (method === 'tools/list') return say({ result: { tools } })
    if (method !== 'tools/call') return say({ result: {} })
    const count = sessions.get(known)! + 1
    sessions.set(known, count)
    say({ result: { content: [{ type: 'text', text: JSON.stringify({ session: known, count }) }] } })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` }
}

// Enough that surely not all of them belong to the replica that stays.
const callers = 14

for (const hosting of ['caller', undefined])
  describePostgres(`a server that gives sessions, with hosting ${hosting ?? 'as it is by itself'}`, () => {
    let far: Awaited<ReturnType<typeof openRemembering>>
    let fleet: FleetProcesses
    const keys: string[] = []

    beforeAll(async () => {
      far = await openRemembering()
      const source = { type: 'http', url: far.url, ...(hosting ? { hosting } : {}) }
      const config = baseConfig({ server: { firstListMs: 60_000 }, sources: { far: source } })
      fleet = await startFleet({ url: await newDatabase(), config, leaseMs: 2000 })
      await fleet.ready()
      const authorization = `Bearer ${adminKeyOf(fleet.replicas)}`
      for (let n = 0; n < callers; n++) {
        const made = await fetch(`${fleet.urls[0]}/api/admin/v1/keys`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ name: `caller ${n}`, permission: 'write' }),
        })
        keys.push(((await made.json()) as any).key)
      }
      // Until all know of all: who belongs to whom changes with the members.
      for (const url of fleet.urls)
        await vi.waitUntil(
          async () => {
            const answer = await fetch(`${url}/api/admin/v1/fleet`, { headers: { authorization } })
            const { replicas }: any = await answer.json()
            return replicas.filter((each: any) => each.address).length === 3
          },
          { timeout: 50_000 },
        )
    })
    afterAll(async () => {
      await fleet?.dispose()
      far?.server.closeAllConnections()
      far?.server.close()
    })

    const count = async (url: string, key: string): Promise<{ session: string; count: number }> => {
      const { result, error } = await (await modernCall(url, 'far.count', {}, key)).next()
      if (error) throw new Error(JSON.stringify(error))
      return JSON.parse(result.content[0].text)
    }

    it('has one session per caller, whichever replica is asked, and begins anew when theirs is killed', async () => {
      const before = new Map<string, string>()
      for (const key of keys) {
        const counted = []
        for (const url of [...fleet.urls, ...fleet.urls]) counted.push(await count(url, key))
        expect(new Set(counted.map(({ session }) => session)).size).toBe(1)
        expect(counted.map((each) => each.count)).toEqual([1, 2, 3, 4, 5, 6])
        before.set(key, counted[0]!.session)
      }
      expect(new Set(before.values()).size).toBe(callers)

      const moved = new Set<string>()
      for (const dead of [0, 1]) {
        await fleet.replicas[dead]!.stop('SIGKILL')
        const urls = fleet.urls.slice(dead + 1)
        for (const key of keys) {
          let sessions: readonly string[] = []
          // What was on its way may be lost with it; who asks again is served.
          const settled = async (): Promise<number> => {
            sessions = await Promise.all(urls.map(async (url) => (await count(url, key)).session)).catch(() => [])
            return new Set(sessions).size
          }
          await expect.poll(settled, { timeout: 50_000 }).toBe(1)
          if (sessions[0] !== before.get(key)) moved.add(key)
        }
      }
      expect(moved.size).toBeGreaterThan(0)
    }, 180_000)
  })
