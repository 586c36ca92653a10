import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startIdentityProvider, type TestProvider } from '../helpers/identity-provider.js'
import { openTeam, type TeamBoard } from '../helpers/team-board.js'

type Document = Readonly<Record<string, any>>

describe('what the authorization server says of itself', () => {
  let provider: TestProvider
  let team: TeamBoard
  beforeAll(async () => {
    provider = await startIdentityProvider()
    team = await openTeam({ provider })
  })
  afterAll(async () => {
    for (const each of [team, provider]) await each?.[Symbol.asyncDispose]()
  })
  const read = async (name: string, at = team): Promise<Document> => {
    const response = await fetch(`${at.url}/.well-known/${name}`)
    expect(response.status).toBe(200)
    return (await response.json()) as Document
  }
  const both = ['oauth-authorization-server', 'openid-configuration']

  it.each(both)('names addresses that are there, all of them ours (%s)', async (name) => {
    const document = await read(name)
    expect(document.issuer).toBe(team.url)
    const addresses = Object.entries(document).filter(([key]) => /_endpoint$|_uri$/.test(key)) as [string, string][]
    expect(addresses.length).toBeGreaterThan(4)
    for (const [key, address] of addresses) {
      expect(address.startsWith(`${team.url}/`), key).toBe(true)
      const isPosted = /^(?:token|registration|revocation)_/.test(key)
      const response = await fetch(address, { method: isPosted ? 'POST' : 'GET', redirect: 'manual' })
      expect([key, response.status === 404 || response.status === 405]).toEqual([key, false])
    }
  })

  it.each(both)('names grants that are taken, and no other one (%s)', async (name) => {
    const document = await read(name)
    const ask = async (grant: string) => {
      const body = new URLSearchParams({ grant_type: grant, client_id: 'nobody' })
      const response = await fetch(document.token_endpoint, { method: 'POST', body })
      return ((await response.json()) as { error: string }).error
    }
    for (const grant of document.grant_types_supported)
      expect([grant, await ask(grant)]).not.toEqual([grant, 'unsupported_grant_type'])
    for (const grant of ['password', 'implicit', 'client_credentials'])
      expect([grant, await ask(grant)]).toEqual([grant, 'unsupported_grant_type'])
  })

  it('names the set of our keys where an OpenID document must, which holds ES256 keys alone and nothing private', async () => {
    const { jwks_uri: at, id_token_signing_alg_values_supported: algorithms } = await read('openid-configuration')
    expect(algorithms).toEqual(['ES256'])
    expect(await (await fetch(at)).json()).toEqual({ keys: [] })
    await team.board.signIns.assertionKeys.current()
    const { keys } = (await (await fetch(at)).json()) as { keys: readonly Document[] }
    expect(keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        kid: expect.any(String),
        alg: 'ES256',
        use: 'sig',
      },
    ])
    const plain = await read('oauth-authorization-server')
    expect(Object.keys(plain).filter((key) => /jwks|id_token|subject_types/.test(key))).toEqual([])
  })

  it('names no registration where clients cannot register themselves', async () => {
    const { issuer, clientId, clientSecret } = provider
    const people = { issuer, clientId, clientSecret, clients: { register: false } }
    await using shut = await openTeam({ provider, config: { auth: { people } } })
    for (const name of both) expect(await read(name, shut)).not.toHaveProperty('registration_endpoint')
    expect((await fetch(`${shut.url}/register`, { method: 'POST', body: '{}' })).status).toBe(404)
  })
})
