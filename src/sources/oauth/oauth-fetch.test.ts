import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SignInServers, startCanary, startSignInServers } from '../../../test/helpers/sign-in-servers.js'
import { discover } from './discover.js'
import { fetchRulesFor, withOAuthFetch } from './oauth-fetch.js'

describe('requests of a sign-in', () => {
  let far: SignInServers
  let canary: Awaited<ReturnType<typeof startCanary>>
  beforeAll(async () => {
    far = await startSignInServers()
    canary = await startCanary('127.0.0.2')
  })
  afterAll(async () => {
    await far[Symbol.asyncDispose]()
    await canary[Symbol.asyncDispose]()
  })

  const port = () => new URL(canary.url).port
  const fetchFor = (server: string, issuer?: string) => (url: string) =>
    withOAuthFetch(fetchRulesFor(new URL(server), issuer), (fetch) => fetch(url))

  it.each([
    '127.0.0.2',
    '169.254.169.254',
    '10.0.0.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.2]',
    '[64:ff9b::7f00:2]',
    '[2002:7f00:2::]',
    '0x7f.2',
    '2130706434',
    'localhost',
  ])('do not go to %s because a public server says so (T10)', async (host) => {
    for (const scheme of ['http', 'https'])
      await expect(fetchFor('https://mcp.example.com/')(`${scheme}://${host}:${port()}/`)).rejects.toMatchObject({
        code: 'ACCESS_DENIED',
      })
    expect(canary.hits()).toBe(0)
  })

  it('go to the neighbours of a server on this machine, and to the issuer that the operator wrote', async () => {
    expect((await fetchFor('http://127.0.0.1:1/')(canary.url)).status).toBe(200)
    expect((await fetchFor('https://mcp.example.com/', canary.url)(canary.url)).status).toBe(200)
  })

  it('need https beyond this machine', async () => {
    await expect(fetchFor('https://mcp.example.com/')('http://sso.example.com/')).rejects.toMatchObject({
      message: expect.stringContaining('https'),
    })
    await expect(fetchFor('https://mcp.example.com/')('ftp://sso.example.com/')).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
  })

  it('follow neither a challenge nor a redirect inside', async () => {
    const before = canary.hits()
    const rules = {
      ...fetchRulesFor(new URL(far.url), undefined),
      isTrusted: ({ origin }: URL) => origin === new URL(far.url).origin,
    }
    const look = (metadataUrl?: string) =>
      withOAuthFetch(rules, (fetch) =>
        discover(new URL(far.url), metadataUrl ? { metadataUrl: new URL(metadataUrl) } : {}, undefined, fetch),
      )
    await expect(look(`${canary.url}/metadata`)).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    far.rules.redirectsTo = `${canary.url}/metadata`
    await look().catch(() => {})
    expect(canary.hits()).toBe(before)
  })
})
