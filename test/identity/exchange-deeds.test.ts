import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Caller } from '../../src/model/caller.js'
import type { AuditEntry } from '../../src/telemetry/audit-entry.js'
import { trailIn } from '../../src/telemetry/audit-pages.js'
import { type SignInServers, startSignInServers } from '../helpers/sign-in-servers.js'
import { openTeam, type TeamBoard } from '../helpers/team-board.js'

describe('a sign-in that is used for a token of another server', () => {
  let far: SignInServers
  let issuer: string
  let server: Server
  let team: TeamBoard
  let refuses = false
  beforeAll(async () => {
    far = await startSignInServers()
    far.rules.listsToAll = true
    server = createServer((request, response) => {
      const send = (status: number, value: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      if (request.url?.startsWith('/.well-known/'))
        return void send(200, {
          ...{ issuer, token_endpoint: `${issuer}/token`, authorization_endpoint: `${issuer}/authorize` },
          response_types_supported: ['code'],
        })
      if (refuses) return void send(400, { error: 'invalid_grant', error_description: 'canary-words' })
      send(200, { access_token: 'canary-token', token_type: 'Bearer', expires_in: 1 })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    far.keys.set('canary-token', 'ada')
    const auth = { type: 'exchange', issuer, clientId: 'us', clientSecret: 'canary-secret', audience: 'https://y' }
    team = await openTeam({ people: 'keys', config: { sources: { docs: { type: 'http', url: far.url, auth } } } })
  })
  afterAll(async () => {
    await team?.[Symbol.asyncDispose]()
    await far?.[Symbol.asyncDispose]()
    server?.close()
  })

  const callerOf = (name: string): Caller => ({
    ...{ id: `person:${name}`, kind: 'person', rights: ['discover', 'call'], shown: () => 'canary-shown' },
    identity: { id: `person:${name}`, issuer, subject: name },
  })
  const text = () => readFileSync(trailIn(join(team.folder, 'data', 'audit')), 'utf8')
  const exchanges = () =>
    text()
      .split('\n')
      .filter((line) => line.includes('"action":"exchange"'))
      .map((line) => JSON.parse(line) as AuditEntry)

  it('is a line: for whom, where, by which grant, and how it ended; never a token', async () => {
    const call = (name: string) => team.board.gateway.call({ tool: 'docs.read', args: {}, caller: callerOf(name) })
    expect(await call('ada')).toMatchObject({ ok: true })
    refuses = true
    expect(await call('eve')).toMatchObject({ ok: false, error: { code: 'SIGN_IN_REQUIRED' } })
    expect(await call('eve')).toMatchObject({ ok: false })
    await vi.waitUntil(() => exchanges().length >= 2, { timeout: 60_000 })
    const common = { kind: 'credential', source: 'docs', after: 'token-exchange', actor: { type: 'system' } }
    expect(exchanges()).toMatchObject([
      { ...common, on: { type: 'person', id: 'person:ada' }, outcome: 'ok' },
      { ...common, on: { type: 'person', id: 'person:eve' }, outcome: 'failed', code: 'SIGN_IN_REQUIRED' },
    ])
    expect(text()).not.toContain('canary')
  })
})
