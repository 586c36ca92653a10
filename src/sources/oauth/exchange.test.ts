import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import type { Caller } from '../../model/caller.js'
import { silentLogger } from '../../telemetry/logger.js'
import { ExchangeCredentials, type ExchangeSubject } from './exchange.js'
import type { CredentialNews, ExchangeAuth } from './options.js'

interface Asked {
  readonly body: URLSearchParams
  readonly authorization: string | undefined
}

/** A token endpoint of RFC 8693 and RFC 7523, as small as can be, at one issuer. */
const startIssuer = async (answer: (asked: Asked) => { status?: number | undefined; [key: string]: unknown }) => {
  const asked: Asked[] = []
  let issuer = ''
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const send = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (request.url?.startsWith('/.well-known/'))
      return void send(200, {
        ...{ issuer, token_endpoint: `${issuer}/token`, authorization_endpoint: `${issuer}/authorize` },
        response_types_supported: ['code'],
      })
    asked.push({ body: new URLSearchParams(text), authorization: request.headers.authorization })
    const { status = 200, ...value } = answer(asked.at(-1)!)
    send(status, value)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { issuer, asked, close: () => new Promise((resolve) => server.close(resolve)) }
}

const callerOf = (issuer: string): Caller => ({
  ...{ id: 'person:a', rights: [] },
  identity: { id: 'person:a', issuer, subject: 'a' },
})
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

describe('a token that is exchanged for', () => {
  let idp: Awaited<ReturnType<typeof startIssuer>>
  let reply: (asked: Asked) => { status?: number | undefined; [key: string]: unknown }
  const clock = new VirtualClock()
  let told: CredentialNews[]

  beforeEach(async () => {
    let count = 0
    told = []
    reply = () => ({ access_token: `for-y-${++count}`, token_type: 'Bearer', expires_in: 600 })
    idp = await startIssuer((asked) => reply(asked))
  })
  afterEach(() => idp.close())

  const open = (subject: ExchangeSubject | undefined, more: Partial<ExchangeAuth> = {}) => {
    const auth: ExchangeAuth = {
      ...{
        type: 'exchange',
        issuer: idp.issuer,
        clientId: 'us',
        clientSecret: 's3cret',
        audience: 'https://y.example',
      },
      ...more,
    }
    const credentials = new ExchangeCredentials({
      ...{ source: 'y', server: new URL('https://y.example/mcp'), auth, clock, logger: silentLogger },
      onSecret: () => {},
      onCredential: (news) => void told.push(news),
      subjectOf: async () => subject,
    })
    credentials.seen(callerOf(`${idp.issuer}/`))
    return credentials
  }
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'none',
      ({ code }) => code,
    )

  it('is asked for at the identity provider, once, and kept to a minute before its end', async () => {
    const credentials = open({ accessToken: 'theirs' }, { scopes: ['read'] })
    expect(credentials.isFresh()).toBe(false)
    await Promise.all([credentials.renew(undefined), credentials.renew(undefined)])
    expect(credentials.headers()).toEqual({ authorization: 'Bearer for-y-1' })
    expect(idp.asked).toHaveLength(1)
    expect(Object.fromEntries(idp.asked[0]!.body)).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: 'theirs',
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      audience: 'https://y.example',
      scope: 'read',
    })
    expect(idp.asked[0]!.authorization).toBe(basic('us:s3cret'))
    await clock.advance(539_000)
    expect(credentials.isFresh()).toBe(true)
    await clock.advance(2000)
    expect(credentials.isFresh()).toBe(false)
    await credentials.renew(undefined)
    expect(credentials.headers()).toEqual({ authorization: 'Bearer for-y-2' })
  })

  it('is not to be had by whom nobody vouches for', async () => {
    await expect(open(undefined).renew(undefined)).rejects.toMatchObject({
      code: 'SIGN_IN_REQUIRED',
      details: { source: 'y', kind: 'identity' },
    })
    expect(await codeOf(open({}).renew(undefined))).toBe('SIGN_IN_REQUIRED')
    expect(idp.asked).toEqual([])
  })

  it('shows what one issuer gave out to no other', async () => {
    const credentials = open({ accessToken: 'theirs' })
    credentials.seen(callerOf('https://another.example'))
    expect(await codeOf(credentials.renew(undefined))).toBe('SIGN_IN_REQUIRED')
    expect(idp.asked).toEqual([])
  })

  it('says whose fault it is, without the provider’s words, and asks it no more for a while', async () => {
    const description = 'canary-secret'
    reply = () => ({ status: 400, error: 'invalid_grant', error_description: description })
    const credentials = open({ accessToken: 'theirs' })
    await expect(credentials.renew(undefined)).rejects.toMatchObject({ code: 'SIGN_IN_REQUIRED' })
    for (let each = 0; each < 10; each++) await expect(credentials.renew(undefined)).rejects.not.toThrow(description)
    expect(idp.asked).toHaveLength(1)
    reply = () => ({ status: 401, error: 'invalid_client' })
    await clock.advance(5001)
    expect(await codeOf(credentials.renew(undefined))).toBe('SOURCE_UNAVAILABLE')
    expect(idp.asked).toHaveLength(2)
  })

  it('is never the one that was shown', async () => {
    reply = ({ body }) => ({ access_token: body.get('subject_token'), token_type: 'Bearer' })
    const credentials = open({ accessToken: 'theirs' })
    expect(await codeOf(credentials.renew(undefined))).toBe('SOURCE_INVALID')
    expect(credentials.headers()).toEqual({})
    reply = () => ({ nothing: true })
    expect(await codeOf(open({ accessToken: 'theirs' }).renew(undefined))).toBe('SOURCE_UNAVAILABLE')
  })

  it('is had in two steps where the server’s own issuer wants an assertion, each with its own secret', async () => {
    const own = await startIssuer(() => ({ access_token: 'of-y', token_type: 'Bearer', expires_in: 60 }))
    reply = () => ({
      access_token: 'the-assertion',
      issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      token_type: 'N_A',
      expires_in: 60,
    })
    const server = { issuer: own.issuer, clientId: 'us-at-y', clientSecret: 'y-secret' }
    const more = { grant: 'id-jag', audience: own.issuer, server } as const
    const credentials = open({ accessToken: 'a', idToken: 'the-id-token' }, more)
    await credentials.renew(undefined)
    expect(credentials.headers()).toEqual({ authorization: 'Bearer of-y' })
    expect(idp.asked[0]!.body.get('subject_token')).toBe('the-id-token')
    expect(idp.asked[0]!.body.get('requested_token_type')).toBe('urn:ietf:params:oauth:token-type:id-jag')
    expect(idp.asked[0]!.body.get('audience')).toBe(own.issuer)
    expect(own.asked[0]!.body.get('assertion')).toBe('the-assertion')
    expect(own.asked[0]!.authorization).toBe(basic('us-at-y:y-secret'))
    expect(JSON.stringify(own.asked.map(({ body }) => [...body]))).not.toMatch(/s3cret|the-id-token/)
    expect(await codeOf(open({ accessToken: 'a' }, more).renew(undefined))).toBe('SIGN_IN_REQUIRED')
    await own.close()
  })

  it('is told each time somebody’s sign-in was used for it, or was of no use, and by which grant', async () => {
    const credentials = open({ accessToken: 'theirs' })
    await Promise.all([credentials.renew(undefined), credentials.renew(undefined)])
    reply = () => ({ status: 400, error: 'invalid_grant', error_description: 'canary' })
    for (let each = 0; each < 3; each++) expect(await codeOf(credentials.renew(undefined))).toBe('SIGN_IN_REQUIRED')
    const common = { action: 'exchange', source: 'y', caller: 'person:a', grant: 'token-exchange' }
    expect(told).toEqual([
      { ...common, failed: undefined },
      { ...common, failed: 'SIGN_IN_REQUIRED' },
    ])
  })

  it('is forgotten by request', async () => {
    const credentials = open({ accessToken: 'theirs' })
    await credentials.renew(undefined)
    credentials.reset()
    expect(credentials.headers()).toEqual({})
    expect(await codeOf(credentials.renew(undefined))).toBe('SIGN_IN_REQUIRED')
  })
})
