import { afterEach, expect, it } from 'vitest'
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js'
import { describePostgres, newDatabase } from '../helpers/postgres.js'

const running: GatewayProcess[] = []
afterEach(async () => {
  for (const each of running.splice(0)) await each.dispose()
})

const ask = (url: string, body: object, id?: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(id === undefined ? {} : { 'mcp-session-id': id }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
  })
const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
const statusOf = async (url: string, id: string): Promise<number> => (await ask(url, { method: 'ping' }, id)).status

describePostgres('a session over replicas of one database', () => {
  it('is answered by each, keeps what it asked for, and ends at all of them', { timeout: 180_000 }, async () => {
    const url = await newDatabase()
    for (const replica of ['one', 'two'])
      running.push(await startGateway({ storage: { backend: 'postgres', url }, fleet: { replica } }, { greet: false }))
    const [one, two] = running.map((each) => each.url) as [string, string]
    const id = (await ask(one, { method: 'initialize', params: hello })).headers.get('mcp-session-id')!
    const statuses = await Promise.all(Array.from({ length: 60 }, (_, at) => statusOf([one, two][at % 2]!, id)))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect((await ask(two, { method: 'logging/setLevel', params: { level: 'error' } }, id)).status).toBe(200)
    // Both have it in memory: what ended at one is let go of by the other when it hears of it.
    expect((await fetch(two, { method: 'DELETE', headers: { 'mcp-session-id': id } })).status).toBe(204)
    expect(await statusOf(two, id)).toBe(404)
    await expect.poll(() => statusOf(one, id), { timeout: 60_000 }).toBe(404)
    // And one that never had it, or had it before it began, knows as well.
    await running.shift()!.dispose()
    running.push(
      await startGateway({ storage: { backend: 'postgres', url }, fleet: { replica: 'three' } }, { greet: false }),
    )
    expect(await statusOf(running.at(-1)!.url, id)).toBe(404)
    const other = (await ask(two, { method: 'initialize', params: hello })).headers.get('mcp-session-id')!
    expect(await statusOf(running.at(-1)!.url, other)).toBe(200)
  })
})
