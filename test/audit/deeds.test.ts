import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../src/telemetry/audit-entry.js'
import { trailIn } from '../../src/telemetry/audit-pages.js'
import { verifyTrail } from '../../src/telemetry/audit-verify.js'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'

let admin: OpenedAdmin
let key: string
const config = { sources: { pets: { type: 'stdio', command: 'node', enabled: false } } }
beforeEach(async () => {
  admin = await openAdminServer(JSON.stringify(config))
  key = await admin.key('admin')
})
afterEach(() => admin[Symbol.asyncDispose]())

const ask = (method: string, path: string, body?: unknown) =>
  admin.ask(method, path, body === undefined ? { key } : { key, body })
const listed = async (query = ''): Promise<readonly AuditEntry[]> =>
  (await ask('GET', `/audit?limit=500${query}`)).body.entries
const trail = (): string => trailIn(join(dirname(admin.file), 'data', 'audit'))

/** Not a GET only because what they ask for does not fit into an address. */
const changeNothing = [
  'POST /tools/:id/override-preview',
  'POST /profile-preview',
  'POST /rules/explain',
  'POST /search',
  'POST /source-read',
  'POST /tools/:id/check',
]

/** These write down what they did themselves, where they did something: there is neither a session nor a person here. */
const ownWords = ['DELETE /session', 'POST /people/:id/end', 'DELETE /me/clients/:id']

const bodies: Readonly<Record<string, unknown>> = {
  'POST /keys': { name: 'ci', permission: 'read' },
  'POST /approvals': { ids: ['a.b', 'a.c'], hashes: { 'a.b': 'h1' } },
  'POST /approvals/reject': { ids: ['a.b'] },
  'POST /approvals/calls/:id': { decision: 'deny' },
  'POST /source-test': { name: 'there', config: { type: 'http', url: 'http://127.0.0.1:1/mcp' } },
  'POST /tools/:id/call': { args: {} },
  'POST /tools/:id/effect': { effect: 'readonly' },
  'POST /search': { query: 'x' },
  'POST /source-read': { text: 'npx -y some-server' },
  'POST /resource-read': { uri: 'file:///nobody' },
  'POST /tools/:id/check': { args: {} },
  'POST /registry/install': { name: 'com.example/nobody' },
  'POST /registry/updates/:source': { version: '1.0.0' },
  'POST /history/replay': { ids: ['nobody'] },
  'POST /rules/explain': { tool: 'x' },
  'POST /profile-preview': { name: 'x', settings: {} },
  'POST /import': { names: ['nobody'] },
  'PUT /me/sources/:name/key': { key: 'canary-own-key' },
  'PUT /tools/:id/override': { title: 'x' },
  'PUT /settings': { changes: { 'logging.level': 'warn' } },
  'PUT /profiles/:name': { allow: ['pets.*'] },
  'PUT /sources/:name': { type: 'stdio', command: 'node', enabled: false },
}

describe('a deed of administration', () => {
  it('is a line, whichever operation it was done by: all that are no GET', async () => {
    const routes = admin.routes().filter(({ path, method }) => path.startsWith('/api/admin/v1') && method !== 'GET')
    expect(routes.length).toBeGreaterThan(15)
    const silent: string[] = []
    const unread: string[] = []
    for (const { method, path } of routes) {
      const own = path.slice('/api/admin/v1'.length)
      const before = (await listed()).length
      const { status } = await ask(method, own.replace(/:\w+/g, 'nobody'), bodies[`${method} ${own}`] ?? {})
      const news = (await listed()).slice(0, (await listed()).length - before)
      // What could not even be read was not done: then there is no way to tell.
      if (status === 400 || status === 413) unread.push(`${method} ${own}`)
      else if (!news.some(({ kind, action }) => kind !== 'refusal' && (kind !== 'system' || action === 'release')))
        silent.push(`${method} ${own}`)
    }
    expect(unread).toEqual([])
    expect(silent.toSorted()).toEqual([...changeNothing, ...ownWords].toSorted())
  })

  it('names who, what and how it ended; never a value', async () => {
    const { body: made } = await ask('POST', '/keys', { name: 'ci', permission: 'read' })
    await ask('DELETE', `/keys/${made.record.id}`)
    await ask('DELETE', '/keys/none')
    await ask('PUT', '/settings', { changes: { 'logging.level': 'warn' } })
    await ask('POST', '/approvals', { ids: ['a.b'], hashes: { 'a.b': 'canary-hash' } })
    const entries = (await listed()).filter(({ kind }) => kind !== 'system')
    expect(entries.toReversed()).toMatchObject([
      {
        kind: 'key',
        action: 'create',
        on: { type: 'key', id: 'ci' },
        outcome: 'ok',
        actor: { type: 'key', via: 'key' },
      },
      { kind: 'key', action: 'revoke', on: { type: 'key', id: made.record.id }, outcome: 'ok' },
      { kind: 'key', action: 'revoke', on: { id: 'none' }, outcome: 'failed', code: 'NOT_FOUND' },
      { kind: 'setting', action: 'reload', on: { id: 'logging' }, actor: { type: 'system' } },
      { kind: 'setting', action: 'change', after: 'logging.level', outcome: 'ok' },
      { kind: 'approval', action: 'approve', on: { type: 'definition', id: 'a.b' }, outcome: 'failed' },
    ])
    const text = readFileSync(trail(), 'utf8')
    expect(text).not.toContain(made.key)
    expect(text).not.toContain(key)
    expect(text).not.toContain('127.0.0.1')
    expect((await verifyTrail(trail())).ok).toBe(true)
  })

  it('that is a link to a voice device, added or taken out, has its name and never its address', async () => {
    const url = 'ws://127.0.0.1:1/?token=canary-device'
    const write = (endpoints: readonly object[]) =>
      writeFileSync(admin.file, JSON.stringify({ ...config, xiaozhi: { endpoints } }))
    const devices = async () => (await listed()).filter(({ on }) => on?.type === 'xiaozhi')
    write([{ url, name: 'kitchen' }, { url: `${url}2` }])
    await expect.poll(devices, { timeout: 60_000 }).toHaveLength(2)
    write([{ url, name: 'kitchen' }])
    await expect.poll(devices, { timeout: 60_000 }).toHaveLength(3)
    expect((await devices()).map(({ kind, action, on }) => [kind, action, on?.id])).toEqual([
      ['setting', 'remove', expect.stringMatching(/^[0-9a-f]{12}$/)],
      ['setting', 'add', expect.stringMatching(/^[0-9a-f]{12}$/)],
      ['setting', 'add', 'kitchen'],
    ])
    expect(readFileSync(trail(), 'utf8')).not.toContain('canary')
  })

  it('that was refused is folded: the first, and how many more', async () => {
    const reader = await admin.key('read')
    for (let index = 0; index < 30; index++) {
      expect((await admin.ask('PUT', '/settings', { key: reader, body: {} })).status).toBe(403)
      expect((await admin.ask('GET', '/keys', { key: `wrong-${index}` })).status).toBe(401)
    }
    expect(await listed('&kind=refusal')).toMatchObject([
      { code: 'UNAUTHENTICATED', actor: { id: 'anonymous', type: 'anonymous' }, outcome: 'refused' },
      { code: 'ACCESS_DENIED', actor: { type: 'key' }, on: { type: 'route', id: '/api/admin/v1/settings' } },
    ])
  })
})

describe('the audit for its reader', () => {
  it('is filtered, goes on where it left off, and says what it does not know', async () => {
    for (let index = 0; index < 12; index++) await ask('DELETE', `/keys/k${index}`)
    const first = (await ask('GET', '/audit?kind=key&outcome=failed&limit=5')).body
    const second = (await ask('GET', `/audit?kind=key&outcome=failed&limit=5&cursor=${first.next}`)).body
    const third = (await ask('GET', `/audit?kind=key&outcome=failed&limit=5&cursor=${second.next}`)).body
    const ids = [first, second, third].flatMap(({ entries }) => entries.map(({ on }: AuditEntry) => on?.id))
    expect(ids).toEqual(Array.from({ length: 12 }, (_, index) => `k${11 - index}`))
    expect(third.next).toBeUndefined()
    expect((await listed('&tool=k3')).map(({ on }) => on?.id)).toEqual(['k3'])
    expect(await listed('&tool=k1*')).toHaveLength(3)
    expect(await listed('&person=nobody-here')).toEqual([])
    expect(await listed(`&since=${Date.now() + 60_000}`)).toEqual([])
    for (const wrong of ['kind=x', 'outcome=x', 'since=x', 'limit=0', 'limit=501'])
      expect((await ask('GET', `/audit?${wrong}`)).status).toBe(400)
  })

  it('can be taken away as JSON lines and as a table, which is a line itself', async () => {
    await ask('DELETE', '/keys/=cmd')
    const get = async (format: string) => {
      const response = await fetch(`${admin.url}/api/admin/v1/audit/export?format=${format}&kind=key`, {
        headers: { authorization: `Bearer ${key}` },
      })
      return { type: response.headers.get('content-type'), text: await response.text() }
    }
    const lines = await get('jsonl')
    expect(
      lines.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ on: { id: '=cmd' } }])
    const csv = await get('csv')
    expect(csv.type).toContain('text/csv')
    expect(csv.text.split('\r\n')[1]).toContain(",key,'=cmd,")
    expect(await listed('&kind=export')).toMatchObject([
      { action: 'end', count: 1, on: { id: 'csv' } },
      { action: 'begin', after: 'format,kind' },
      { action: 'end', count: 1, on: { id: 'jsonl' } },
      { action: 'begin' },
    ])
    const reader = await admin.key('read')
    expect((await admin.ask('GET', '/audit', { key: reader })).status).toBe(403)
  })
})
