import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testVault } from '../../../test/helpers/test-vault.js'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { GatewayError } from '../../errors.js'
import type { JsonValue } from '../../model/json.js'
import { createSeals } from '../../model/seal.js'
import { createMemoryDocuments } from '../../storage/memory/memory-documents.js'
import { silentLogger } from '../../telemetry/logger.js'
import { InteractiveCredentials } from './interactive.js'
import { createPending, signInMs } from './pending.js'
import { isWider, unionOf } from './scope.js'
import { sealedBefore } from './sealed.js'
import { createShelf, type Shelf } from './shelf.js'
import { HeldToken, toKeptTokens } from './tokens.js'

const tokens = (accessToken: string) => ({ accessToken, refreshToken: `r-${accessToken}`, obtainedAt: 0 })
const server = 'https://mcp.example.com/mcp'

describe('a sign-in on its way', () => {
  it('comes back once, and not after ten minutes', async () => {
    const clock = new VirtualClock()
    const pending = createPending<{ source: string }>(clock)
    const { state } = await pending.add({ source: 'docs' })
    expect(state).toMatch(/^[\w-]{43}$/)
    expect(await pending.take(state)).toEqual({ source: 'docs' })
    expect(await pending.take(state)).toBeUndefined()
    const late = await pending.add({ source: 'docs' })
    await clock.advance(signInMs)
    expect(await pending.take(late.state)).toBeUndefined()
    expect(pending.waiting()).toEqual([])
  })

  it('makes room by the oldest, so that nobody fills the memory', async () => {
    const pending = createPending<{ each: number }>(new VirtualClock())
    for (let each = 0; each < 1000; each++) await pending.add({ each })
    expect(pending.waiting()).toHaveLength(64)
    expect(pending.waiting().at(-1)).toEqual({ each: 999 })
  })

  describe('in a fleet', () => {
    const open = () => {
      const rows = new Map<string, string>()
      const shared = {
        rows: {
          put: async (id: string, sealed: string) => void rows.set(id, sealed),
          take: async (id: string) => {
            const found = rows.get(id)
            rows.delete(id)
            return found
          },
        },
        seal: createSeals('one secret').of('rest'),
        now: () => 0,
      }
      const replica = (seal = shared.seal) =>
        createPending<{ verifier: string }>(new VirtualClock(), { ...shared, seal })
      return { rows, replica }
    }

    it('comes back to any replica, once', async () => {
      const { replica } = open()
      const [begun, other] = [replica(), replica()]
      const { state } = await begun.add({ verifier: 'v' })
      const both = await Promise.all([other.take(state), begun.take(state)])
      expect(both.filter((each) => each !== undefined)).toEqual([{ verifier: 'v' }])
    })

    it('shows neither its state nor its proof to who reads the rows, and opens only where it belongs', async () => {
      const { rows, replica } = open()
      const begun = replica()
      const { state } = await begun.add({ verifier: 'canary-of-proof' })
      const another = await begun.add({ verifier: 'mine' })
      expect(JSON.stringify([...rows])).not.toContain('canary-of-proof')
      expect([...rows.keys()].join()).not.toContain(state)
      const [[, first], [second]] = [...rows] as unknown as [[string, string], [string]]
      rows.set(second, first)
      expect(await begun.take(another.state)).toBeUndefined()
      expect(await replica(createSeals('another').of('rest')).take(state)).toBeUndefined()
    })

    it('is forgotten everywhere when it is begun again', async () => {
      const { rows, replica } = open()
      const begun = replica()
      await begun.add({ verifier: 'v' })
      begun.drop(() => true)
      expect(rows.size).toBe(0)
    })
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

  it('takes new tokens only in the place of those that they came for', async () => {
    const shelf = open()
    const issuer = 'https://a.example'
    await shelf.save({ source: 'docs', server, issuer, tokens: tokens('old') })
    const old = (await shelf.find('docs', server))!
    expect(await shelf.renew(old, tokens('new'))).toBe(true)
    expect(await shelf.renew(old, tokens('late'))).toBe(false)
    expect((await shelf.find('docs', server))?.tokens?.accessToken).toBe('new')
    await shelf.remove('docs')
    expect(await shelf.renew(old, tokens('ghost'))).toBe(false)
    expect(await shelf.all()).toEqual([])
  })

  describe('in a store that others may read', () => {
    const issuer = 'https://a.example'
    const openSealed = (secret = 'one secret', documents = createMemoryDocuments()) => {
      const sealed = testVault(secret).sealed(documents, 'sign-ins')
      return { documents, shelf: createShelf(sealed, new VirtualClock()) }
    }

    it('keeps nothing in the clear, and gives it back whole', async () => {
      const { documents, shelf } = openSealed()
      await shelf.save({ source: 'docs', server, issuer, tokens: tokens('canary'), client: { id: 'c', secret: 's3' } })
      const old = (await shelf.find('docs', server))!
      expect(old).toMatchObject({ tokens: { accessToken: 'canary' }, client: { secret: 's3' } })
      expect(JSON.stringify(await documents.all())).not.toMatch(/canary|"s3"|a\.example/)
      expect(await shelf.renew(old, tokens('canary2'))).toBe(true)
      expect(JSON.stringify(await documents.all())).not.toContain('canary')
      await shelf.spend((await shelf.find('docs', server))!, 'tokens')
      expect(await shelf.find('docs', server)).toMatchObject({ tokens: undefined, client: { id: 'c' } })
    })

    it('is empty under another key, overwrites nothing, and takes a new sign-in after a sign-out', async () => {
      const { documents, shelf } = openSealed()
      await shelf.save({ source: 'docs', server, issuer, tokens: tokens('1') })
      const other = openSealed('another', documents)
      expect(await other.shelf.find('docs', server)).toBeUndefined()
      const again = () => other.shelf.save({ source: 'docs', server, issuer, tokens: tokens('2') })
      await expect(again()).rejects.toMatchObject({ code: 'CREDENTIAL_UNREADABLE' })
      expect((await shelf.find('docs', server))?.tokens?.accessToken).toBe('1')
      expect(await other.shelf.remove('docs')).toBe(true)
      await again()
      expect((await other.shelf.find('docs', server))?.tokens?.accessToken).toBe('2')
    })

    it('reads what the secret of a fleet sealed before there was a vault, and seals it anew when it is next written', async () => {
      const documents = createMemoryDocuments()
      const plain = createMemoryDocuments()
      await createShelf(plain, new VirtualClock()).save({ source: 'docs', server, issuer, tokens: tokens('older') })
      const [{ id, value }] = (await plain.all()) as readonly [{ id: string; value: JsonValue }]
      await documents.put(id, { sealed: createSeals('of the fleet').of('rest').close({ id, value }) })
      const lost: string[] = []
      const open = (secret: string) =>
        createShelf(
          sealedBefore(testVault('v').sealed(documents, 'sign-ins'), createSeals(secret).of('rest'), (each) => {
            lost.push(each)
          }),
          new VirtualClock(),
        )
      expect(await open('another').find('docs', server)).toBeUndefined()
      expect(lost).toEqual([id])
      const shelf = open('of the fleet')
      expect(await shelf.renew((await shelf.find('docs', server))!, tokens('newer'))).toBe(true)
      expect(await documents.get(id)).toEqual({ sealed: expect.stringMatching(/^v1\./) })
      expect((await open('another').find('docs', server))?.tokens?.accessToken).toBe('newer')
    })

    it('gives no source the sign-in of another, though somebody moves them about', async () => {
      const { documents, shelf } = openSealed()
      await shelf.save({ source: 'docs', server, issuer, tokens: tokens('1') })
      await shelf.save({ source: 'mine', server, issuer, tokens: tokens('2') })
      const [docs, mine] = await documents.all()
      await documents.put(mine!.id, docs!.value)
      expect((await shelf.all()).map(({ source }) => source)).toEqual(['docs'])
    })

    it('reads what was moved here from files, and seals it when it is next written', async () => {
      const { documents, shelf } = openSealed()
      await createShelf(documents, new VirtualClock()).save({ source: 'docs', server, issuer, tokens: tokens('plain') })
      const found = (await shelf.find('docs', server))!
      expect(await shelf.renew(found, tokens('newer'))).toBe(true)
      expect(JSON.stringify(await documents.all())).not.toMatch(/plain|newer/)
    })
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
