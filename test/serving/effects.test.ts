import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toolEffect } from '../../src/cli/commands/effects.js'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'

const program = fileURLToPath(new URL('../helpers/servers/annotated.mjs', import.meta.url))
const text = (more: object = {}) =>
  JSON.stringify({ sources: { desk: { command: process.execPath, args: [program] } }, ...more })

let server: OpenedAdmin
let written: string
const open = async (config: string): Promise<void> => {
  server = await openAdminServer(config)
  await vi.waitFor(() => expect(server.gateway.list().length).toBeGreaterThanOrEqual(4), { timeout: 50_000 })
}
beforeEach(() => {
  written = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((said) => {
    written += String(said)
    return true
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await server[Symbol.asyncDispose]()
})

describe('pegboard approvals effect', () => {
  const flags = async () => ({
    config: server.file,
    dataPath: join(dirname(server.file), 'data'),
    port: new URL(server.url).port,
    key: await server.key('operator'),
  })
  const say = async (tool?: string, word?: string, more: object = {}): Promise<string> => {
    written = ''
    await toolEffect(tool, word, { ...(await flags()), ...more } as never)
    return written
  }

  it('lists who says what of which tools, says it, and takes it back, by the gateway that runs', async () => {
    await open(text())
    const first = JSON.parse(await say(undefined, undefined, { json: true }))
    expect(first.map(({ id }: { id: string }) => id)).toEqual(['desk.get_rid', 'desk.peek'])
    expect(await say()).toMatch(/desk\.get_rid +.*destructive/)
    expect(await say('desk.peek', 'readonly')).toContain('desk.peek: read-only for readers of default (operator')
    expect(server.gateway.policy.effectOf(server.gateway.find('desk.peek')!)).toMatchObject({ by: 'approver' })
    expect(await say('desk.peek')).toContain('read-only for readers of default')
    expect(await say('desk.peek', 'none')).toContain('may change things')
    expect(await say('desk.peek')).toContain('only a suggestion')
    expect(await say('desk.write')).toContain('nobody says anything of it')
    expect(await say(undefined, undefined, { source: 'other' })).toContain('Nobody says of any tool')
  })

  it('refuses a word that is none, a destructive tool, and one that is not there', async () => {
    await open(text())
    await expect(say('desk.peek', 'harmless')).rejects.toThrow("'harmless' is no effect")
    await expect(say('desk.get_rid', 'readonly')).rejects.toThrow('destructive')
    await expect(say('desk.nothing', 'readonly')).rejects.toMatchObject({ exitCode: 2 })
    await expect(say('desk.peek', 'readonly', { key: await server.key('viewer') })).rejects.toMatchObject({
      exitCode: 3,
    })
  })
})

describe('the audit trail', () => {
  it('holds who spoke for a tool and who made a key of which role, not only calls (S24)', async () => {
    await open(text({ telemetry: { audit: 'on' } }))
    const [admin, operator] = await Promise.all([server.key('admin'), server.key('operator')])
    const body = { effect: 'readonly' }
    expect((await server.ask('POST', '/tools/desk.peek/effect', { key: operator, body })).status).toBe(200)
    await server.ask('POST', '/tools/desk.get_rid/effect', { key: operator, body })
    await server.ask('POST', '/keys', { key: admin, body: { name: 'reports', role: 'reader' } })
    const entries = async (kind: string) =>
      (await server.ask('GET', `/audit?kind=${kind}`, { key: admin })).body.entries
    expect(await entries('approval')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          action: 'effect',
          outcome: 'ok',
          on: { type: 'tool', id: 'desk.peek' },
          after: 'readonly',
        }),
        expect.objectContaining({ action: 'effect', code: 'TOOL_CONFLICT', on: { type: 'tool', id: 'desk.get_rid' } }),
      ]),
    )
    expect(await entries('key')).toEqual([
      expect.objectContaining({ action: 'create', on: { type: 'key', id: 'reports' }, after: 'reader' }),
    ])
  })
})

describe('with approve.fourEyes', () => {
  it('whoever wrote the entry of a source does not speak for its tools; somebody else does', async () => {
    await open(text({ approve: { fourEyes: true } }))
    const [admin, operator] = await Promise.all([server.key('admin'), server.key('operator')])
    const entry = { command: process.execPath, args: [program] }
    expect((await server.ask('PUT', '/sources/added', { key: admin, body: entry })).status).toBe(200)
    await vi.waitFor(() => expect(server.gateway.find('added.peek')).toBeDefined(), { timeout: 50_000 })
    const said = (key: string, tool: string) =>
      server.ask('POST', `/tools/${tool}/effect`, { key, body: { effect: 'readonly' } })
    const refused = await said(admin, 'added.peek')
    expect(refused.status).toBe(403)
    expect(JSON.stringify(refused.body)).toContain('somebody else has to approve')
    expect((await said(admin, 'desk.peek')).status).toBe(200)
    expect((await said(operator, 'added.peek')).status).toBe(200)
    // To take a word back is always safe.
    const back = await server.ask('POST', '/tools/added.peek/effect', { key: admin, body: { effect: 'none' } })
    expect(back.status).toBe(200)
  })
})
