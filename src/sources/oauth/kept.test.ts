import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { GatewayError } from '../../errors.js'
import type { JsonValue } from '../../model/json.js'
import { createMemoryDocuments } from '../../storage/memory/memory-documents.js'
import { silentLogger } from '../../telemetry/logger.js'
import { InteractiveCredentials } from './interactive.js'
import { createPending, signInMs } from './pending.js'
import { isWider, unionOf } from './scope.js'
import { createShelf, type Shelf } from './shelf.js'
import { HeldToken, toKeptTokens } from './tokens.js'

const tokens = (accessToken: string) => ({ accessToken, refreshToken: `r-${accessToken}`, obtainedAt: 0 })
const server = 'https://mcp.example.com/mcp'

describe('a sign-in on its way', () => {
  it('comes back once, and not after ten minutes', async () => {
    const clock = new VirtualClock()
    const pending = createPending<string>(clock)
    const { state } = pending.add('docs')
    expect(state).toMatch(/^[\w-]{43}$/)
    expect(pending.take(state)).toBe('docs')
    expect(pending.take(state)).toBeUndefined()
    const late = pending.add('docs')
    await clock.advance(signInMs)
    expect(pending.take(late.state)).toBeUndefined()
    expect(pending.waiting()).toEqual([])
  })

  it('makes room by the oldest, so that nobody fills the memory', () => {
    const pending = createPending<number>(new VirtualClock())
    for (let each = 0; each < 1000; each++) pending.add(each)
    expect(pending.waiting()).toHaveLength(64)
    expect(pending.waiting().at(-1)).toBe(999)
  })
})

describe('the shelf', () => {
  const open = () => createShelf(createMemoryDocuments(), new VirtualClock())

  it('keeps sources, servers and issuers apart, and one issuer per source and server', async () => {
    const shelf = open()
    const issuer = 'https://a.example'
    await shelf.save({ source: 'docs', server, issuer, tokens: tokens('1') })
    expect(await shelf.find('other', server)).toBeUndefined()
    expect(await shelf.find('docs', `${server}/2`)).toBeUndefined()
    await shelf.save({ source: 'docs', server, issuer: 'https://b.example' })
    expect(await shelf.all()).toEqual([expect.objectContaining({ issuer: 'https://b.example', tokens: undefined })])
  })

  it('does not forget what another process has renewed in the meantime', async () => {
    const shelf = open()
    const issuer = 'https://a.example'
    await shelf.save({ source: 'docs', server, issuer, tokens: tokens('old') })
    const old = (await shelf.find('docs', server))!
    await shelf.save({ ...old, tokens: tokens('new') })
    await shelf.spend(old, 'tokens')
    expect((await shelf.find('docs', server))?.tokens?.accessToken).toBe('new')
    await shelf.spend((await shelf.find('docs', server))!, 'tokens')
    expect((await shelf.find('docs', server))?.tokens).toBeUndefined()
  })

  it('reads whatever the file holds without failing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (value) => {
        const documents = createMemoryDocuments()
        await documents.put('x', value as JsonValue)
        await createShelf(documents, new VirtualClock()).all()
      }),
    )
  })
})

describe('credentials', () => {
  it('let a server be asked that wants none, although what is kept cannot be read', async () => {
    const broken = { find: () => Promise.reject(new GatewayError('STORE_CORRUPT', 'damaged')) } as unknown as Shelf
    const credentials = new InteractiveCredentials({
      source: 'docs',
      server: new URL(server),
      auth: undefined,
      shelf: broken,
      clock: new VirtualClock(),
      logger: silentLogger,
      onSecret: () => {},
      onLost: () => {},
    })
    expect(credentials.isFresh()).toBe(false)
    await credentials.renew(undefined)
    expect(credentials.isFresh()).toBe(true)
    const refusal = new GatewayError('SOURCE_UNAVAILABLE', 'no', { details: { status: 401 } })
    await expect(credentials.renew(refusal)).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  })
})

describe('a token', () => {
  it('is fresh until a minute before its end, or a tenth of its life', async () => {
    const clock = new VirtualClock()
    const held = new HeldToken(clock)
    held.adopt(toKeptTokens({ access_token: 'a', token_type: 'bearer', expires_in: 3600 }, clock))
    await clock.advance(3_539_000)
    expect(held.isFresh).toBe(true)
    await clock.advance(1000)
    expect([held.isFresh, held.isOver]).toEqual([false, false])
    await clock.advance(60_000)
    expect(held.isOver).toBe(true)
  })

  it('is one header object until it changes', () => {
    const clock = new VirtualClock()
    const held = new HeldToken(clock)
    held.adopt(toKeptTokens({ access_token: 'a', token_type: 'Bearer' }, clock))
    expect(held.headers).toBe(held.headers)
    expect(held.headers).toEqual({ authorization: 'Bearer a' })
    expect(held.isFresh).toBe(true)
  })

  it.each([
    [{ access_token: 'a', token_type: 'DPoP' }, 'SOURCE_INVALID'],
    [{ access_token: 'a\r\nx: y', token_type: 'Bearer' }, 'RESULT_INVALID'],
    [{ access_token: '', token_type: 'Bearer' }, 'RESULT_INVALID'],
  ])('is refused where it is none that a header can carry: %j', (answer, code) => {
    expect(() => toKeptTokens(answer, new VirtualClock())).toThrow(expect.objectContaining({ code }))
  })

  it('ends at a time that can be reckoned with, whatever the server says', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (seconds) => {
        const { expiresAt } = toKeptTokens(
          { access_token: 'a', token_type: 'Bearer', expires_in: seconds },
          new VirtualClock(),
        )
        expect(Number.isFinite(expiresAt)).toBe(true)
      }),
    )
  })
})

describe('scopes', () => {
  it('are joined without losing or repeating one', () => {
    expect(unionOf('a b', undefined, 'b  c')).toBe('a b c')
    expect(unionOf(undefined, '')).toBeUndefined()
    expect(isWider('a b', 'b a c')).toBe(false)
    expect(isWider('a d', 'a')).toBe(true)
    expect(isWider(undefined, 'a')).toBe(false)
  })
})
