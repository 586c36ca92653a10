import { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import type { AuthResult } from '../http/auth.js'
import { createPeers } from '../http/auth-loopback.js'
import type { HttpExchange, Route } from '../http/route.js'
import { createBrowserDoor } from '../http/same-origin.js'
import type { Caller } from '../model/caller.js'
import { type Role, rightsOfRole } from '../model/role.js'
import { createSeals } from '../model/seal.js'
import { createMemoryDocuments } from '../storage/memory/memory-documents.js'
import type { Deed } from '../telemetry/deed.js'
import { silentLogger } from '../telemetry/logger.js'
import { type ConsoleSessions, createConsoleSessions, endMs, idleMs } from './console-session.js'
import { identityOf } from './identity.js'
import { createSessions } from './session-store.js'

const alice = identityOf({ issuer: 'https://idp.example', subject: 'alice', name: 'Alice', groups: ['eng'] })
const hour = 60 * 60_000

/** What was set, as a browser sends it back. */
interface Browser {
  cookie: string | undefined
}

const requestOf = (
  path: string,
  browser: Browser,
  more: { method?: string | undefined; headers?: IncomingHttpHeaders | undefined } = {},
) =>
  ({
    url: path,
    method: more.method ?? 'GET',
    headers: { host: '127.0.0.1:8000', cookie: browser.cookie, ...more.headers },
    httpVersionMinor: 1,
    socket: { remoteAddress: '127.0.0.1' },
  }) as unknown as IncomingMessage

const responseFor = (browser: Browser): ServerResponse =>
  ({
    appendHeader: (_: string, line: string) => {
      const [pair = ''] = line.split(';')
      browser.cookie = line.includes('Max-Age=0') ? undefined : pair
    },
  }) as unknown as ServerResponse

const open = async (peopleSignIn = true) => {
  const clock = new VirtualClock()
  const notes: Deed[] = []
  const sessions = await createSessions({
    documents: createMemoryDocuments(),
    secrets: createMemoryDocuments(),
    clock,
  })
  const roles: { alice: Role; key: Role | undefined } = { alice: 'operator', key: 'admin' }
  let opened = 0
  const seal = createSeals('a secret').of('console')
  const consoles = createConsoleSessions({
    sessions: async () => {
      opened += 1
      return sessions
    },
    holderOf: (id) => roles.key && { id: `key:${id}`, kind: 'key', rights: rightsOfRole(roles.key) },
    personOf: (identity) =>
      roles.alice === 'none'
        ? undefined
        : { id: identity.id, kind: 'person', identity, rights: rightsOfRole(roles.alice) },
    peopleSignIn: () => peopleSignIn,
    door: createBrowserDoor({ publicUrl: () => undefined, peers: createPeers() }),
    seal,
    clock,
    note: (deed) => void notes.push(deed),
    logger: silentLogger,
  })
  const signIn = async (visitor: Parameters<ConsoleSessions['begin']>[2], browser: Browser = { cookie: undefined }) => {
    const caller = await consoles.begin(requestOf('/api/admin/v1/session', browser), responseFor(browser), visitor)
    return { browser, caller }
  }
  const look = async (browser: Browser, path = '/api/admin/v1/overview'): Promise<AuthResult | undefined> =>
    consoles.callerOf(requestOf(path, browser))
  return { clock, notes, sessions, roles, consoles, seal, signIn, look, opened: () => opened }
}

const over = { refused: { status: 401, code: 'SESSION_OVER' } }

describe('a browser that is signed in', () => {
  it('is who signed in, at the console, on /me and /connect, and nowhere else', async () => {
    const { signIn, look } = await open()
    const { browser, caller } = await signIn({ identity: alice })
    expect(caller).toMatchObject({ id: alice.id, client: 'console' })
    for (const path of ['/api/admin/v1/calls?x=1', '/me', '/me/x', '/connect?t=1'])
      expect(await look(browser, path)).toMatchObject({ caller: { id: alice.id, session: caller!.session } })
    for (const path of ['/mcp', '/mcp/eng', '/api/v1/tools', '/api/admin/v1x', '/meow', '/', '/metrics'])
      expect(await look(browser, path)).toBeUndefined()
  })

  it('costs nothing before: no cookie, or one that we did not make, opens nothing', async () => {
    const { look, opened, seal } = await open()
    for (const cookie of [undefined, 'pegboard-8000=x', `pegboard-8000=${seal.close({ other: 1 })}`])
      expect(await look({ cookie })).toBeUndefined()
    expect(opened()).toBe(0)
  })

  it('holds nothing that an operator who sees the list of sessions could use', async () => {
    const { signIn, look, sessions } = await open()
    await signIn({ identity: alice })
    const [{ id } = { id: '' }] = sessions.list()
    expect(await look({ cookie: `pegboard-8000=${id}` })).toBeUndefined()
  })

  it('gets another session at each sign-in, and the one before is over (fixation)', async () => {
    const { signIn, look, sessions } = await open()
    const { browser } = await signIn({ keyId: 'k1' })
    const planted = { ...browser }
    await signIn({ identity: alice }, browser)
    expect(browser.cookie).not.toBe(planted.cookie)
    expect(await look(planted)).toMatchObject(over)
    expect(await look(browser)).toMatchObject({ caller: { id: alice.id } })
    expect(sessions.list()).toHaveLength(1)
  })

  it('is signed out after eight hours without a request, and after a day whatever it does', async () => {
    const { signIn, look, clock, sessions } = await open()
    const idle = await signIn({ identity: alice })
    const busy = await signIn({ identity: alice })
    for (let at = 0; at < endMs - hour; at += hour) {
      await clock.advance(hour)
      expect(await look(busy.browser)).toMatchObject({ caller: { id: alice.id } })
      if (clock.now() === idleMs) expect(await look(idle.browser)).toMatchObject(over)
    }
    await clock.advance(hour)
    expect(await look(busy.browser)).toMatchObject(over)
    expect(sessions.list()).toEqual([])
  })

  it('is signed out by a change of what it may do, for more as for less', async () => {
    for (const role of ['admin', 'viewer', 'none'] as const) {
      const { signIn, look, roles, sessions } = await open()
      const { browser } = await signIn({ identity: alice })
      const ends: string[] = []
      sessions.onEnd((_, why) => void ends.push(why))
      roles.alice = role
      expect(await look(browser)).toMatchObject(over)
      // Also where the old role comes back.
      roles.alice = 'operator'
      expect(await look(browser)).toMatchObject(over)
      expect(ends).toEqual(['role'])
    }
  })

  it('is signed out with its key', async () => {
    const { signIn, look, roles } = await open()
    const { browser } = await signIn({ keyId: 'k1' })
    expect(await look(browser)).toMatchObject({ caller: { id: 'key:k1' } })
    roles.key = undefined
    expect(await look(browser)).toMatchObject(over)
  })

  it('is not signed in where nothing was granted, and stays who it was', async () => {
    const { signIn, look, roles } = await open()
    const { browser } = await signIn({ keyId: 'k1' })
    roles.alice = 'none'
    expect((await signIn({ identity: alice }, browser)).caller).toBeUndefined()
    expect(await look(browser)).toMatchObject({ caller: { id: 'key:k1' } })
  })

  it('signs out by itself, and by no page of another site', async () => {
    const { signIn, look, consoles, notes } = await open()
    const { browser } = await signIn({ identity: alice })
    const own = { method: 'DELETE', headers: { origin: 'http://127.0.0.1:8000', 'x-pegboard-console': '1' } }
    const foreign = { ...own, headers: { ...own.headers, origin: 'https://evil.example' } }
    const end = (more: typeof own, who = browser) =>
      consoles.end(requestOf('/api/admin/v1/session', who, more), responseFor(who))
    expect(await end(foreign)).toMatchObject({ refused: { status: 403 } })
    expect(await look(browser)).toMatchObject({ caller: { id: alice.id } })
    const copy = { ...browser }
    expect(await end(own)).toMatchObject({ caller: { id: alice.id } })
    expect(browser.cookie).toBeUndefined()
    expect(await look(copy)).toMatchObject(over)
    expect(await end(own, copy)).toBeUndefined()
    expect(notes.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['sign-in', 'ok'],
      ['sign-out', 'ok'],
    ])
  })

  it('is refused where another page asks with its cookie', async () => {
    const { signIn, consoles } = await open()
    const { browser } = await signIn({ identity: alice })
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      const result = consoles.callerOf(requestOf('/api/admin/v1/keys', browser, { headers }))
      expect(result).toMatchObject({ refused: { status: 403 } })
    }
    expect(consoles.callerOf(requestOf('/api/admin/v1/keys', browser, { method: 'POST' }))).toMatchObject({
      refused: { status: 403 },
    })
  })
})

describe('a stream of the console', () => {
  const streamOf = (consoles: ConsoleSessions, caller: Caller) => {
    const response = Object.assign(new EventEmitter(), { destroyed: false, destroy: () => {} })
    response.destroy = () => {
      response.destroyed = true
      response.emit('close')
    }
    const route: Route = { method: 'GET', path: '/api/admin/v1/events', right: 'look', stream: true, handle: () => {} }
    const [watched] = consoles.watch([route])
    watched!.handle({ caller, response } as unknown as HttpExchange)
    return response
  }

  it('ends with the session at once, and within a minute of what ends it silently', async () => {
    const { signIn, consoles, sessions, clock, roles } = await open()
    const first = await signIn({ identity: alice })
    const one = streamOf(consoles, first.caller!)
    await clock.advance(5 * 60_000)
    expect(one.destroyed).toBe(false)
    await sessions.end(first.caller!.session!, 'person')
    expect(one.destroyed).toBe(true)
    const second = await signIn({ identity: alice })
    const two = streamOf(consoles, second.caller!)
    roles.alice = 'viewer'
    await clock.advance(60_000)
    expect(two.destroyed).toBe(true)
  })

  it('keeps nobody signed in by being open', async () => {
    const { signIn, consoles, clock } = await open()
    const { caller } = await signIn({ identity: alice })
    const stream = streamOf(consoles, caller!)
    await clock.advance(idleMs - 60_000)
    expect(stream.destroyed).toBe(false)
    await clock.advance(60_000)
    expect(stream.destroyed).toBe(true)
  })
})

describe('a key for administration, where people sign in', () => {
  const use = (consoles: ConsoleSessions, caller: Caller): void => {
    const [route] = consoles.watch([{ method: 'GET', path: '/api/admin/v1/keys', right: 'admin', handle: () => {} }])
    void route!.handle({ caller, response: {} } as unknown as HttpExchange)
  }
  const admin: Caller = { id: 'key:k1', kind: 'key', rights: rightsOfRole('admin') }

  it('is written down as an emergency, at each sign-in and once in a while where programs use it', async () => {
    const { signIn, consoles, notes, clock } = await open()
    const { caller } = await signIn({ keyId: 'k1' })
    expect(consoles.isBreakGlass(caller!)).toBe(true)
    expect(notes.at(-1)).toMatchObject({ kind: 'break-glass', action: 'sign-in', severity: 'high' })
    for (let n = 0; n < 5; n++) use(consoles, admin)
    expect(notes.filter(({ action }) => action === 'use')).toHaveLength(1)
    await clock.advance(hour)
    use(consoles, admin)
    expect(notes.filter(({ action }) => action === 'use')).toHaveLength(2)
  })

  it('is no emergency where keys are the way in, and no other key ever is', async () => {
    const plain = await open(false)
    expect(plain.consoles.isBreakGlass((await plain.signIn({ keyId: 'k1' })).caller!)).toBe(false)
    use(plain.consoles, admin)
    expect(plain.notes.map(({ kind }) => kind)).toEqual(['sign-in'])
    const { consoles } = await open()
    expect(consoles.isBreakGlass({ ...admin, rights: rightsOfRole('operator') })).toBe(false)
    expect(consoles.isBreakGlass({ ...admin, kind: 'person' })).toBe(false)
  })
})
