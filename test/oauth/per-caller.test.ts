import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, type Identity, localCaller } from '../../src/model/caller.js'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'
import { type SignInServers, startSignInServers } from '../helpers/sign-in-servers.js'

const person = (subject: string): Caller => {
  const identity: Identity = { id: `person:${subject}`, issuer: 'https://idp.example', subject, name: subject }
  return { id: identity.id, kind: 'person', rights: ['discover', 'call'], identity }
}
const alice = person('alice')
const bob = person('bob')
const idOf = ({ identity }: Caller): string => identity!.id

describe('a source at which each caller signs in (I11)', () => {
  let far: SignInServers
  let board: OpenedAdmin

  beforeEach(async () => {
    far = await startSignInServers()
  })
  afterEach(async () => {
    await board[Symbol.asyncDispose]()
    await far[Symbol.asyncDispose]()
  })

  const open = async (more: object = {}) => {
    const source = { type: 'http', url: far.url, auth: { type: 'oauth', per: 'caller' }, ...more }
    board = await openAdminServer(JSON.stringify({ sources: { docs: source } }))
  }
  const stateNow = () => board.gateway.sources().find(({ name }) => name === 'docs')?.status
  /** Resolves at the event: nothing here waits by the clock. */
  const until = (state: string): Promise<void> =>
    new Promise((resolve) => {
      const stop = board.gateway.onSource(({ name, status }) => {
        if (name !== 'docs' || status.state !== state) return
        stop()
        resolve()
      })
      if (stateNow()?.state !== state) return
      stop()
      resolve()
    })
  /** What a browser does with the link, up to the way back; the server takes whoever it is told for signed in. */
  const follow = async (link: string, user: string): Promise<URLSearchParams> => {
    const response = await fetch(`${link}&user=${user}`, { redirect: 'manual' })
    return new URL(response.headers.get('location') ?? '').searchParams
  }
  const finish = (back: URLSearchParams, by: Caller | undefined) => {
    const [code, iss] = [back.get('code') ?? undefined, back.get('iss') ?? undefined]
    return board.signIns.finish(back.get('state') ?? '', { code, iss, error: undefined }, by && idOf(by))
  }
  const signIn = async (caller: Caller) => {
    const { url } = await board.signIns.begin('docs', idOf(caller))
    await finish(await follow(url, caller.identity!.subject), caller)
  }
  const textOf = async (caller: Caller): Promise<string> => {
    const outcome = await call(caller)
    return outcome.ok ? String((outcome as any).answer.result?.content?.[0]?.text) : outcome.error.code
  }
  const call = (caller: Caller) => board.gateway.call({ tool: 'docs.read', args: {}, caller })

  it('waits calmly for the first of them, and tries nothing meanwhile', async () => {
    await open()
    await until('needs-auth')
    expect(stateNow()).toMatchObject({ nextRetryAt: undefined })
    expect(stateNow()?.reason).toContain('Waits for a sign-in')
  })

  it('refuses who has nothing there, and asks its server nothing in their name', async () => {
    far.rules.listsToAll = true
    await open()
    await until('ready')
    const before = far.log.length
    expect(await call(alice)).toMatchObject({
      ok: false,
      error: { code: 'SIGN_IN_REQUIRED', details: { source: 'docs', kind: 'oauth' } },
    })
    const { identity: _, ...nobody } = alice
    for (const caller of [
      nobody,
      { ...nobody, kind: 'key' as const },
      localCaller,
      { ...nobody, kind: 'anonymous' as const },
    ])
      expect(await call(caller)).toMatchObject({
        ok: false,
        error: { code: 'SIGN_IN_REQUIRED', details: { source: 'docs', kind: 'identity' } },
      })
    expect(far.log.slice(before)).toEqual([])
    expect(far.authorizations.every((each) => each === undefined)).toBe(true)
  })

  it.each([
    ['http, modern', { isModern: true }, '/mcp', 'http'],
    ['http, legacy', {}, '/mcp', 'http'],
    ['http, legacy with sessions', { givesSessions: true }, '/mcp', 'http'],
    ['sse', {}, '/sse', 'sse'],
    ['websocket', {}, '/socket', 'websocket'],
  ])(
    'answers each as themselves, over %s: 0 of 1,000 interleaved calls by somebody else’s token',
    async (_, rules, path, type) => {
      Object.assign(far.rules, rules)
      const { origin } = new URL(far.url)
      far.rules.resource = origin
      const url = `${origin}${path}`.replace(/^http/, type === 'websocket' ? 'ws' : 'http')
      await open({ type, url })
      await until('needs-auth')
      const ready = until('ready')
      await signIn(alice)
      await ready
      await signIn(bob)
      const callers = Array.from({ length: 1000 }, (_each, index) => ((index * 7919) % 3 === 0 ? alice : bob))
      const answers: string[] = []
      for (let at = 0; at < callers.length; at += 50)
        answers.push(...(await Promise.all(callers.slice(at, at + 50).map(textOf))))
      expect(answers.filter((answer, index) => answer !== callers[index]!.identity!.subject)).toEqual([])
      expect(far.foreign).toEqual([])
      expect(await textOf({ ...alice, identity: undefined })).toBe('SIGN_IN_REQUIRED')
    },
  )

  describe('over HTTP', () => {
    beforeEach(async () => {
      far.rules.listsToAll = true
      far.rules.metadata = { revocation_endpoint: `${far.issuer}/revoke` }
      await open()
      await until('ready')
    })

    it('takes a way back only by the browser of who began it, and once', async () => {
      const { url } = await board.signIns.begin('docs', idOf(alice))
      // Mallory sends her link to the victim: what the victim grants must not become hers, nor theirs.
      for (const other of [bob, undefined]) {
        const again = await board.signIns.begin('docs', idOf(alice))
        await expect(finish(await follow(again.url, 'victim'), other)).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
      }
      await expect(finish(await follow(url, 'alice'), alice)).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
      const last = await board.signIns.begin('docs', idOf(alice))
      const back = await follow(last.url, 'alice')
      await finish(back, alice)
      await expect(finish(back, alice)).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
      expect(await textOf(alice)).toBe('alice')
      expect(await textOf(bob)).toBe('SIGN_IN_REQUIRED')
      // One registration serves everybody.
      await signIn(bob)
      expect(far.registrations).toHaveLength(1)
    })

    it('refreshes once however many calls need it, and each their own', async () => {
      await signIn(alice)
      await signIn(bob)
      expect([await textOf(alice), await textOf(bob)]).toEqual(['alice', 'bob'])
      far.revokeAccess()
      const before = far.tokenRequests.length
      const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => textOf(index % 2 ? alice : bob)))
      expect(answers.filter((answer, index) => answer !== (index % 2 ? 'alice' : 'bob'))).toEqual([])
      const grants = far.tokenRequests.slice(before).map((each) => each.get('grant_type'))
      expect(grants).toEqual(['refresh_token', 'refresh_token'])
    })

    it('asks to sign in again where a refresh is refused, and asks its server no more', async () => {
      await signIn(alice)
      await signIn(bob)
      expect(await textOf(alice)).toBe('alice')
      far.revokeAll()
      expect(await textOf(alice)).toBe('SIGN_IN_REQUIRED')
      const before = far.log.length
      for (let each = 0; each < 20; each++) expect(await textOf(alice)).toBe('SIGN_IN_REQUIRED')
      expect(far.log.slice(before)).toEqual([])
      await signIn(alice)
      expect(await textOf(alice)).toBe('alice')
    })

    it('spares an authorization server that is away', async () => {
      await signIn(alice)
      far.rules.refreshError = 'temporarily_unavailable'
      far.revokeAccess()
      expect(await textOf(alice)).toBe('SOURCE_UNAVAILABLE')
      const before = far.tokenRequests.length
      for (let each = 0; each < 20; each++) await textOf(alice)
      expect(far.tokenRequests.slice(before)).toEqual([])
    })

    it('ends tokens where they came from when somebody signs out, and leaves the others', async () => {
      await signIn(alice)
      await signIn(bob)
      expect([await textOf(alice), await textOf(bob)]).toEqual(['alice', 'bob'])
      expect(await board.signIns.signOut('docs', idOf(alice))).toEqual({ signedOut: true, revoked: 'revoked' })
      expect(far.revoked).toHaveLength(2)
      expect([await textOf(alice), await textOf(bob)]).toEqual(['SIGN_IN_REQUIRED', 'bob'])
      expect(await board.signIns.signOut('docs', idOf(alice))).toEqual({ signedOut: false })
      far.rules.metadata = {}
      expect(await board.signIns.signOut('docs', idOf(bob))).toEqual({ signedOut: true, revoked: 'not-offered' })
    })

    it('shows everybody what is theirs, and ends all of it when they leave', async () => {
      await signIn(alice)
      expect(await board.signIns.listFor(idOf(alice))).toEqual([
        expect.objectContaining({ source: 'docs', type: 'oauth', state: 'signed-in' }),
      ])
      expect(await board.signIns.listFor(idOf(bob))).toEqual([
        { source: 'docs', type: 'oauth', state: 'not-signed-in', server: new URL(far.url).origin },
      ])
      expect(await board.signIns.endCaller(idOf(bob))).toBe(0)
      expect(await board.signIns.endCaller(idOf(alice))).toBe(1)
      expect(far.revoked).toHaveLength(2)
      expect(await textOf(alice)).toBe('SIGN_IN_REQUIRED')
      expect(JSON.stringify(await board.signIns.listFor(idOf(alice)))).not.toContain(far.rules.canary)
    })

    it('leaves no token in a file, in a list or in an error', async () => {
      await signIn(alice)
      await textOf(alice)
      const data = join(dirname(board.file), 'data')
      const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
      const found = files.filter((each) => readFileSync(join(each.parentPath, each.name)).includes(far.rules.canary))
      expect(found.map(({ name }) => name)).toEqual([])
      far.revokeAll()
      expect(JSON.stringify(await call(alice))).not.toContain(far.rules.canary)
      expect(JSON.stringify(board.gateway.sources())).not.toContain(far.rules.canary)
    })

    it('is listed for operators with how many have signed in, and nobody’s name', async () => {
      const counted = async () => (await board.ask('GET', '/sign-ins', { key: await board.key('viewer') })).body.signIns
      expect(await counted()).toEqual([{ source: 'docs', type: 'oauth', state: 'per-caller', people: 0 }])
      await signIn(alice)
      await signIn(bob)
      expect(await counted()).toEqual([{ source: 'docs', type: 'oauth', state: 'per-caller', people: 2 }])
      await board.signIns.signOut('docs', idOf(alice))
      expect(await counted()).toMatchObject([{ people: 1 }])
      far.revokeAll()
      expect(await textOf(bob)).toBe('SIGN_IN_REQUIRED')
      expect(await counted()).toMatchObject([{ people: 0 }])
    })

    it('is nothing for one sign-in of all', async () => {
      await expect(board.signIns.begin('docs')).rejects.toMatchObject({ message: expect.stringContaining('/me') })
      await expect(board.signIns.paste('docs', idOf(alice), 'k')).rejects.toMatchObject({ code: 'SOURCE_INVALID' })
      await expect(board.signIns.signOut('other', idOf(alice))).rejects.toMatchObject({ code: 'SOURCE_NOT_FOUND' })
    })
  })

  describe('with a key that each pastes', () => {
    const keyOf = (caller: Caller): string => `${far.rules.canary}-${caller.identity!.subject}`

    beforeEach(async () => {
      far.rules.listsToAll = true
      far.keys.set(keyOf(alice), 'alice').set(keyOf(bob), 'bob')
      await open({ auth: { type: 'key', per: 'caller', prefix: 'Bearer ', help: 'https://keys.example' } })
      await until('ready')
    })

    it('answers each by their own, and says where to find one', async () => {
      expect(await call(alice)).toMatchObject({
        error: { code: 'SIGN_IN_REQUIRED', details: { kind: 'key' }, message: expect.stringContaining('keys.example') },
      })
      await board.signIns.paste('docs', idOf(alice), ` ${keyOf(alice)}\n`)
      await board.signIns.paste('docs', idOf(bob), keyOf(bob))
      const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => textOf(index % 3 ? alice : bob)))
      expect(answers.filter((answer, index) => answer !== (index % 3 ? 'alice' : 'bob'))).toEqual([])
      expect(await board.signIns.listFor(idOf(alice))).toEqual([
        expect.objectContaining({ type: 'key', state: 'signed-in', help: 'https://keys.example' }),
      ])
    })

    it('counts who pasted one', async () => {
      await board.signIns.paste('docs', idOf(alice), keyOf(alice))
      await board.signIns.paste('docs', idOf(alice), keyOf(alice))
      expect(await board.signIns.list()).toEqual([{ source: 'docs', type: 'key', state: 'per-caller', people: 1 }])
    })

    it('says so where the key is not taken, takes another, and forgets it', async () => {
      await board.signIns.paste('docs', idOf(alice), 'wrong')
      expect(await textOf(alice)).toBe('SIGN_IN_REQUIRED')
      await board.signIns.paste('docs', idOf(alice), keyOf(alice))
      expect(await textOf(alice)).toBe('alice')
      expect(await board.signIns.signOut('docs', idOf(alice))).toEqual({ signedOut: true })
      expect(await textOf(alice)).toBe('SIGN_IN_REQUIRED')
    })

    it('takes no key that is none', async () => {
      for (const key of ['', ' ', 'a\r\nb', '王', 'x'.repeat(4097), 'a\0b'])
        await expect(board.signIns.paste('docs', idOf(alice), key)).rejects.toMatchObject({ code: 'ARGUMENTS_INVALID' })
      await expect(board.signIns.begin('docs', idOf(alice))).rejects.toMatchObject({ details: { kind: 'key' } })
    })
  })

  it('reads its list by a key of the gateway, whoever is signed in', async () => {
    far.keys.set('gateway-key', 'gateway')
    const listAs = { type: 'key', prefix: 'Bearer ', key: 'gateway-key' }
    await open({ auth: { type: 'oauth', per: 'caller', listAs } })
    await until('ready')
    expect(await textOf(alice)).toBe('SIGN_IN_REQUIRED')
    await signIn(alice)
    expect(await textOf(alice)).toBe('alice')
    await board.signIns.signOut('docs', idOf(alice))
    expect(stateNow()?.state).toBe('ready')
  })

  it('is told who calls by headers, and by nobody who is nobody', async () => {
    far.rules.listsToAll = true
    far.keys.set('gateway-key', 'gateway')
    const headers = { Authorization: 'Bearer gateway-key', 'X-User': `\${caller.sub}:\${caller.name}` }
    await open({ auth: undefined, headers })
    await until('ready')
    const [first, second] = await Promise.all([call(alice), call(bob)])
    expect([first.ok, second.ok]).toEqual([true, true])
    expect(new Set(far.users.filter(Boolean))).toEqual(new Set(['alice:alice', 'bob:bob']))
    expect(await textOf({ ...alice, identity: undefined })).toBe('SIGN_IN_REQUIRED')
  })

  it('is told who calls by a token of the gateway, whose keys it finds there', async () => {
    far.rules.listsToAll = true
    far.keys.set('gateway-key', 'gateway')
    await open({ auth: undefined, headers: { Authorization: 'Bearer gateway-key' }, assert: true })
    await until('ready')
    expect(await textOf(alice)).toBe('gateway')
    const assertion = far.assertions.filter((each) => each !== undefined).at(-1)!
    const set = createRemoteJWKSet(new URL(`${board.url}/.well-known/jwks.json`))
    const { payload } = await jwtVerify(assertion, set, { audience: far.url, issuer: board.url })
    expect(payload).toMatchObject({ sub: 'alice', sub_iss: 'https://idp.example' })
    expect(await textOf({ ...alice, identity: undefined })).toBe('SIGN_IN_REQUIRED')
  })
})
