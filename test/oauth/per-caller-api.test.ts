import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Caller, Identity } from '../../src/model/caller.js'
import { type EchoApi, startEchoApi } from '../helpers/echo-api.js'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'
import { type SignInServers, startSignInServers } from '../helpers/sign-in-servers.js'

const person = (subject: string): Caller => {
  const identity: Identity = { id: `person:${subject}`, issuer: 'https://idp.example', subject, name: subject }
  return { id: identity.id, kind: 'person', rights: ['discover', 'call'], identity }
}
const [alice, bob] = [person('alice'), person('bob')]
const idOf = ({ identity }: Caller): string => identity!.id

const document = {
  openapi: '3.1.0',
  info: { title: 'Who', version: '1' },
  paths: { '/me': { get: { operationId: 'who', responses: { 200: { description: 'ok' } } } } },
}

describe('an API at which each caller signs in', () => {
  let far: SignInServers
  let api: EchoApi
  let board: OpenedAdmin
  const keys = new Map([
    ['key-of-alice', 'alice'],
    ['key-of-bob', 'bob'],
  ])

  beforeEach(async () => {
    far = await startSignInServers()
    api = await startEchoApi((request, response) => {
      const send = (status: number, value: unknown) =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      if (request.url === '/api.json') send(200, document)
      else if (request.url !== '/me') send(404, {})
      else {
        const user = far.userOf(request.headers.authorization) ?? keys.get(String(request.headers['x-api-key']))
        send(user === undefined ? 401 : 200, { user })
      }
      return true
    })
  })
  afterEach(async () => {
    await board[Symbol.asyncDispose]()
    await api.close()
    await far[Symbol.asyncDispose]()
  })

  const open = async (auth: object, more: object = {}) => {
    const source = { type: 'openapi', spec: `${api.url}/api.json`, baseUrl: api.url, auth, ...more }
    board = await openAdminServer(JSON.stringify({ sources: { who: source } }))
    await new Promise<void>((resolve) => {
      const isReady = () =>
        board.gateway.sources().some(({ name, status }) => name === 'who' && status?.state === 'ready')
      const stop = board.gateway.onSource(() => {
        if (!isReady()) return
        stop()
        resolve()
      })
      if (isReady()) resolve()
    })
  }
  const userOf = async (caller: Caller): Promise<string> => {
    const outcome = await board.gateway.call({ tool: 'who.who', args: {}, caller })
    if (!outcome.ok) return outcome.error.code
    return /"user":\s*\\?"(\w+)/.exec(JSON.stringify(outcome))?.[1] ?? JSON.stringify(outcome)
  }
  const interleaved = async (): Promise<readonly string[]> => {
    const callers = Array.from({ length: 1000 }, (_, index) => ((index * 7919) % 3 === 0 ? alice : bob))
    const wrong: string[] = []
    for (let at = 0; at < callers.length; at += 50) {
      const some = callers.slice(at, at + 50)
      const users = await Promise.all(some.map(userOf))
      wrong.push(...users.filter((user, index) => user !== some[index]!.identity!.subject))
    }
    return wrong
  }

  it('is called by everybody’s own key, and by nobody’s for another: 0 of 1,000', async () => {
    await open({ type: 'key', per: 'caller', header: 'X-Api-Key' })
    expect(await userOf(alice)).toBe('SIGN_IN_REQUIRED')
    await board.signIns.paste('who', idOf(alice), 'key-of-alice')
    await board.signIns.paste('who', idOf(bob), 'key-of-bob')
    expect(await interleaved()).toEqual([])
    expect(await userOf({ ...alice, identity: undefined })).toBe('SIGN_IN_REQUIRED')
    expect(api.seen.filter(({ url }) => url === '/api.json').map(({ headers }) => headers['x-api-key'])).toEqual([
      undefined,
    ])
  })

  it('is called by everybody’s own sign-in, which is renewed once: 0 of 1,000', async () => {
    await open({ type: 'oauth', per: 'caller', issuer: far.issuer })
    for (const caller of [alice, bob]) {
      const { url } = await board.signIns.begin('who', idOf(caller))
      const response = await fetch(`${url}&user=${caller.identity!.subject}`, { redirect: 'manual' })
      const back = new URL(response.headers.get('location') ?? '').searchParams
      const came = { code: back.get('code') ?? undefined, iss: back.get('iss') ?? undefined, error: undefined }
      await board.signIns.finish(back.get('state') ?? '', came, idOf(caller))
    }
    expect(await interleaved()).toEqual([])
    far.revokeAccess()
    const before = far.tokenRequests.length
    expect(await Promise.all([alice, alice, bob, alice].map(userOf))).toEqual(['alice', 'alice', 'bob', 'alice'])
    expect(far.tokenRequests.slice(before)).toHaveLength(2)
    far.revokeAll()
    expect(await userOf(alice)).toBe('SIGN_IN_REQUIRED')
  })

  it('is told who calls', async () => {
    await open({ type: 'header', name: 'X-Api-Key', value: 'key-of-bob' }, { headers: { 'X-User': `\${caller.sub}` } })
    expect(await userOf(alice)).toBe('bob')
    expect(api.seen.at(-1)?.headers['x-user']).toBe('alice')
    expect(api.seen.filter(({ url }) => url === '/api.json').map(({ headers }) => headers['x-user'])).toEqual([
      undefined,
    ])
  })
})
