import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { localCaller } from '../../src/model/caller.js'
import type { AuditEntry } from '../../src/telemetry/audit-entry.js'
import { openAdminServer } from '../helpers/open-admin.js'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

let server: Server
const listen = async (answers: (count: number) => number): Promise<{ url: string; received: Received[] }> => {
  const received: Received[] = []
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(answers(received.length)).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}
afterEach(() => new Promise((resolve) => server.close(resolve)))

const secret = 'canary-webhook-secret'

describe('a trail that goes elsewhere', () => {
  it('is posted in signed batches of its lines, again where it was not taken', async () => {
    const { url, received } = await listen((count) => (count === 1 ? 503 : 204))
    const audit = { to: ['file', { webhook: `${url}/hook`, secret }] }
    const admin = await openAdminServer(JSON.stringify({ telemetry: { audit } }))
    const key = await admin.key('admin')
    await admin.ask('DELETE', '/keys/none', { key })
    await expect.poll(() => received.length, { timeout: 30_000 }).toBeGreaterThan(1)
    await admin[Symbol.asyncDispose]()
    const [first, second] = received
    expect(second!.headers['x-pegboard-batch']).toBeDefined()
    expect(second!.body.startsWith(first!.body)).toBe(true)
    for (const { headers, body } of received) {
      const [, seconds, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-pegboard-signature']))!
      expect(mac).toBe(createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'))
    }
    const lines = received.slice(1).flatMap(({ body }) => body.trim().split('\n'))
    const actions = lines.map((line) => (JSON.parse(line) as AuditEntry).action)
    expect(actions[0]).toBe('start')
    expect(actions).toContain('revoke')
    expect(actions.at(-1)).toBe('stop')
    expect(JSON.stringify(received)).not.toContain(secret)
  })

  it('speaks OTLP, with the names of OpenTelemetry and the classes of OCSF', async () => {
    const { url, received } = await listen(() => 200)
    const audit = { to: [{ otlp: url, headers: { 'x-team': 'a' } }] }
    const admin = await openAdminServer(JSON.stringify({ telemetry: { audit } }))
    const key = await admin.key('admin')
    await admin.ask('DELETE', '/keys/none', { key })
    await admin.gateway.call({ tool: 'none', caller: localCaller })
    expect((await admin.ask('GET', '/audit', { key })).body).toMatchObject({ entries: [] })
    await admin[Symbol.asyncDispose]()
    const records = received.flatMap(({ body }) =>
      JSON.parse(body).resourceLogs.flatMap((each: any) => each.scopeLogs[0].logRecords),
    )
    const told = records.map(({ attributes, severityText }: any) => ({
      severityText,
      ...Object.fromEntries(attributes.map(({ key: name, value }: any) => [name, value.stringValue ?? value.intValue])),
    }))
    expect(received[0]!.headers['x-team']).toBe('a')
    expect(told).toContainEqual(
      expect.objectContaining({
        ...{ severityText: 'ERROR', 'pegboard.audit.kind': 'key', 'error.type': 'NOT_FOUND' },
        ...{ 'ocsf.class_uid': '3001', 'pegboard.audit.on.id': 'none' },
      }),
    )
    expect(told).toContainEqual(
      expect.objectContaining({
        'mcp.method.name': 'tools/call',
        'gen_ai.tool.name': 'none',
        'ocsf.class_uid': '6003',
      }),
    )
  })

  it('has people under names of its own where that is wanted', async () => {
    const { url, received } = await listen(() => 200)
    const admin = await openAdminServer(
      JSON.stringify({ telemetry: { audit: { people: 'hash', to: [{ otlp: url }] } } }),
    )
    const key = await admin.key('admin')
    await admin.ask('DELETE', '/keys/none', { key })
    await admin.ask('DELETE', '/keys/none', { key })
    await admin[Symbol.asyncDispose]()
    const ids = new Set(received.flatMap(({ body }) => body.match(/h:[0-9a-f]{20}/g) ?? []))
    expect(ids.size).toBe(1)
    expect(JSON.stringify(received)).not.toMatch(/"key:/)
  })
})
