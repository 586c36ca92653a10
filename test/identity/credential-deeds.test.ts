import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { identityId } from '../../src/access/identity.js'
import type { Caller } from '../../src/model/caller.js'
import { createBrowser, type HeadlessBrowser } from '../helpers/headless-browser.js'
import { startIdentityProvider, type TestProvider } from '../helpers/identity-provider.js'
import { type SignInServers, startSignInServers } from '../helpers/sign-in-servers.js'
import { openTeam, type TeamBoard } from '../helpers/team-board.js'

type Line = Readonly<Record<string, any>>

describe('the trail of credentials at sources', () => {
  let provider: TestProvider
  let far: SignInServers
  let team: TeamBoard
  let alice: HeadlessBrowser
  let pasted: string
  beforeAll(async () => {
    provider = await startIdentityProvider()
    far = await startSignInServers()
    far.rules.listsToAll = true
    far.rules.metadata = { revocation_endpoint: `${far.issuer}/revoke` }
    pasted = `${far.rules.canary}-pasted`
    far.keys.set(pasted, 'alice')
    const sources = {
      docs: { type: 'http', url: far.url, auth: { type: 'oauth', per: 'caller' } },
      keyed: { type: 'http', url: far.url, auth: { type: 'key', per: 'caller', prefix: 'Bearer ' } },
      shared: { type: 'http', url: far.url, auth: { type: 'oauth' } },
    }
    team = await openTeam({ provider, config: { sources } })
    alice = await signedIn('alice')
  })
  afterAll(async () => {
    for (const each of [team, far, provider]) await each?.[Symbol.asyncDispose]()
  })

  const idOf = (login: string): string => identityId(provider.issuer, login)
  const callerOf = (login: string): Caller => {
    const identity = { id: idOf(login), issuer: provider.issuer, subject: login, name: login }
    return { id: identity.id, kind: 'person', rights: ['discover', 'call'], identity }
  }
  const signedIn = async (login: string): Promise<HeadlessBrowser> => {
    const browser = createBrowser()
    await browser.submit(await browser.open(`${team.url}/session/sign-in`), { login })
    return browser
  }
  const ask = async (browser: HeadlessBrowser, method: string, path: string, body: unknown = {}) => {
    const cookie = [...browser.cookies(team.url)].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(`${team.url}/api/admin/v1${path}`, {
      ...{ method, body: JSON.stringify(body) },
      headers: {
        ...{ cookie, origin: team.url, 'content-type': 'application/json' },
        ...{ 'x-pegboard-console': '1', 'sec-fetch-site': 'same-origin' },
      },
    })
    return { status: response.status, body: (await response.json()) as any }
  }
  const call = (tool: string, login = 'alice') => team.board.gateway.call({ tool, args: {}, caller: callerOf(login) })
  const trail = (): readonly Line[] => {
    const folder = join(team.folder, 'data', 'audit')
    const text = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    return text
      .join('')
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))
  }
  const credentials = () => trail().filter(({ kind }) => kind === 'credential')
  let seen = 0
  /** The new lines, once there are so many: they are on the disk a moment later. */
  const next = async (count: number): Promise<readonly Line[]> => {
    await vi.waitUntil(() => credentials().length >= seen + count, { timeout: 60_000 })
    const all = credentials().slice(seen)
    seen += all.length
    return all
  }
  const her = () => ({ id: idOf('alice'), type: 'person', via: 'console' })

  it('says who signed in and pasted a key, and where; once each', async () => {
    const { body } = await ask(alice, 'POST', '/me/sources/docs/sign-in')
    await alice.open(`${body.url}&user=alice`)
    expect((await ask(alice, 'PUT', '/me/sources/keyed/key', { key: pasted })).status).toBe(200)
    expect((await ask(alice, 'PUT', '/me/sources/keyed/key', { key: 'two\nlines' })).status).toBe(400)
    expect(await next(4)).toMatchObject([
      { action: 'sign-in begun', source: 'docs', actor: her(), outcome: 'ok' },
      { action: 'sign-in', source: 'docs', actor: her(), outcome: 'ok' },
      { action: 'paste', source: 'keyed', actor: her(), outcome: 'ok' },
      { action: 'paste', source: 'keyed', actor: her(), outcome: 'failed', code: 'ARGUMENTS_INVALID' },
    ])
  })

  it('says that the gateway renewed one, for whom, and that one is worth nothing any more', async () => {
    expect(await call('docs.read')).toMatchObject({ ok: true })
    far.revokeAccess()
    expect(await call('docs.read')).toMatchObject({ ok: true })
    far.revokeAll()
    expect(await call('docs.read')).toMatchObject({ ok: false, error: { code: 'SIGN_IN_REQUIRED' } })
    const on = { type: 'person', id: idOf('alice') }
    expect(await next(2)).toMatchObject([
      { action: 'refresh', source: 'docs', actor: { type: 'system' }, on, outcome: 'ok' },
      { action: 'lose', source: 'docs', actor: { type: 'system' }, on, outcome: 'failed', code: 'SIGN_IN_REQUIRED' },
    ])
  })

  it('says who signed out, and what became of it at the server; nothing of what was not there', async () => {
    const { body } = await ask(alice, 'POST', '/me/sources/docs/sign-in')
    await alice.open(`${body.url}&user=alice`)
    expect((await ask(alice, 'POST', '/me/sources/docs/sign-out')).body).toMatchObject({ signedOut: true })
    expect((await ask(alice, 'POST', '/me/sources/docs/sign-out')).body).toMatchObject({ signedOut: false })
    const lines = await next(3)
    expect(lines.map(({ action }) => action)).toEqual(['sign-in begun', 'sign-in', 'sign-out'])
    expect(lines[2]).toMatchObject({ source: 'docs', actor: her(), after: 'revoked' })
  })

  it('says the same of a sign-in for all, by whoever operates', async () => {
    const carol = await signedIn('carol')
    const { body } = await ask(carol, 'POST', '/sources/shared/sign-in')
    await carol.open(`${body.url}&user=gateway`)
    expect((await ask(carol, 'POST', '/sources/shared/sign-out')).body).toMatchObject({ revoked: 'revoked' })
    const actor = { id: idOf('carol'), type: 'person', via: 'console' }
    expect(await next(3)).toMatchObject([
      { action: 'sign-in begun', source: 'shared', actor },
      { action: 'sign-in', source: 'shared', actor },
      { action: 'sign-out', source: 'shared', actor },
    ])
  })

  it('says what ended with a person, once', async () => {
    const { body } = await ask(alice, 'POST', '/me/sources/docs/sign-in')
    await alice.open(`${body.url}&user=alice`)
    await next(2)
    const carol = await signedIn('carol')
    expect((await ask(carol, 'POST', `/people/${encodeURIComponent(idOf('alice'))}/end`)).status).toBe(200)
    const on = { type: 'person', id: idOf('alice') }
    expect(await next(2)).toMatchObject([
      { action: 'end', source: 'docs', actor: { type: 'system' }, on, after: 'revoked' },
      { action: 'end', source: 'keyed', actor: { type: 'system' }, on },
    ])
    expect(await call('docs.read')).toMatchObject({ ok: false, error: { code: 'SIGN_IN_REQUIRED' } })
  })

  it('finds all of it by the person, and has no token, code, state, key or cookie in any line', async () => {
    const carol = await signedIn('carol')
    const cookie = [...carol.cookies(team.url)].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(
      `${team.url}/api/admin/v1/audit?kind=credential&limit=100&person=${encodeURIComponent(idOf('alice'))}`,
      { headers: { cookie } },
    )
    const { entries } = (await answer.json()) as { entries: readonly Line[] }
    expect(new Set(entries.map(({ action }) => action))).toEqual(
      new Set(['sign-in begun', 'sign-in', 'paste', 'refresh', 'lose', 'sign-out', 'end']),
    )
    await team.board.close()
    const text = JSON.stringify(trail())
    expect(text).not.toContain(far.rules.canary)
    expect(text).not.toContain('two\\\\nlines')
    for (const value of [...alice.cookies(team.url).values(), ...carol.cookies(team.url).values()])
      expect(text).not.toContain(value)
    expect(text).not.toMatch(/[?&](?:code|state|t)=/)
    expect(team.log.join('\n')).not.toContain(far.rules.canary)
  })
})
