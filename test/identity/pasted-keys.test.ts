import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identityOf } from '../../src/access/identity.js'
import {
  type AuthorizationHost,
  codeByKey,
  linkOf,
  openAuthorizationHost,
  registered,
  trade,
  verifier,
} from '../helpers/authorization-host.js'
import { createBrowser } from '../helpers/headless-browser.js'
import { openTeam } from '../helpers/team-board.js'

const wrongKey = `rtk_${'0'.repeat(64)}`

describe('a key that is pasted', () => {
  let host: AuthorizationHost
  beforeAll(async () => {
    host = await openAuthorizationHost()
  })
  afterAll(() => host[Symbol.asyncDispose]())

  it('signs its owner in: the session and its tokens are that person, and go when they are no longer', async () => {
    const alice = identityOf({ issuer: 'https://idp.example', subject: 'alice', email: 'alice@example.com' })
    host.people.seen(alice)
    await host.people.end('person:nobody')
    const { key, record } = await host.keys.create({ name: 'hers', permission: 'read', owner: 'alice@example.com' })
    const client = await registered(host.url)
    const code = await codeByKey(host, createBrowser(), { client_id: client }, key)
    const tokens = await trade(host.url, {
      ...{ grant_type: 'authorization_code', code, client_id: client, code_verifier: verifier },
      redirect_uri: 'http://localhost:51234/callback',
    })
    const [session] = host.sessions.list()
    expect(session).toMatchObject({ keyId: record.id, identity: { id: alice.id } })
    const shown = () => host.server.bearers.verify(tokens.access_token, `${host.url}/mcp`)
    expect(shown()).toMatchObject({ caller: { id: `key:${record.id}`, kind: 'key', identity: alice } })
    expect(shown()).toBe(shown())
    // Of two who have the address neither is meant.
    host.people.seen(identityOf({ issuer: 'https://other.example', subject: 'm', email: 'alice@example.com' }))
    await host.people.end('person:nobody')
    expect(shown()).toMatchObject({ caller: { id: `key:${record.id}` } })
    expect(shown()).not.toMatchObject({ caller: { identity: expect.anything() } })
    await host.keys.revoke(record.id)
    expect(shown()).toMatchObject({ refused: { status: 401 } })
  })

  it('and is wrong counts at every door: who guessed at the page waits at the endpoint, and the other way round', async () => {
    await using team = await openTeam({ people: 'keys' })
    const knock = async (key: string): Promise<number> => {
      const response = await fetch(`${team.url}/api/v1/tools`, { headers: { 'x-api-key': key } })
      await response.arrayBuffer()
      return response.status
    }
    const id = await registered(team.url)
    const browser = createBrowser()
    let page = await browser.open(linkOf(team.url, { client_id: id }))
    for (let count = 0; count < 5; count++) {
      page = await browser.submit(page, { key: wrongKey }, { button: 'allow' })
      expect(page.status).toBe(403)
    }
    let tries = 0
    // Each refill is six seconds: a slow machine may be given one or two more.
    while (tries < 10 && (await knock(wrongKey)) === 401) tries += 1
    expect(tries).toBeLessThan(9)
    expect(await knock(wrongKey)).toBe(429)
    expect((await browser.submit(page, { key: wrongKey }, { button: 'allow' })).status).toBe(429)
    expect(await knock(await team.key())).toBe(200)
  })
})
