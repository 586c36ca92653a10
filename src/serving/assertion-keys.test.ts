import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import type { Identity } from '../model/caller.js'
import { assertionHeader, createCallerAssertions } from '../sources/caller-assertions.js'
import { createMemoryDocuments } from '../storage/memory/memory-documents.js'
import { createVault } from '../storage/open-vault.js'
import type { Storage } from '../storage/storage.js'
import { givenKeys } from '../storage/vault-keys.js'
import { vaultRootOf } from '../storage/vault-seal.js'
import { silentLogger } from '../telemetry/logger.js'
import { createAssertionKeys } from './assertion-keys.js'

const dayMs = 24 * 3600 * 1000
const alice: Identity = { id: 'person:a', issuer: 'https://idp', subject: 'alice', name: '爱丽丝', groups: ['eng'] }

const open = () => {
  const clock = new VirtualClock()
  const documents = createMemoryDocuments()
  const storage = { shared: () => documents } as unknown as Storage
  const root = givenKeys('a test', [vaultRootOf('0123456789abcdef0123456789abcdef')])
  const vault = createVault({ keys: root, markers: createMemoryDocuments(), logger: silentLogger })
  const keysOf = () => createAssertionKeys(storage, vault, clock)
  const keys = keysOf()
  const assertions = createCallerAssertions({ key: () => keys.current(), issuer: () => 'https://gw', clock })
  return { clock, documents, keys, keysOf, assertions }
}

describe('the keys by which we say who calls', () => {
  it('are made with the first who needs one, the same for all replicas, and lie sealed', async () => {
    const { keys, keysOf, documents } = open()
    expect(await keys.published()).toEqual({ keys: [] })
    const other = keysOf()
    const [one, two, three] = await Promise.all([keys.current(), keys.current(), other.current()])
    expect([two.kid, three.kid]).toEqual([one.kid, one.kid])
    expect(JSON.stringify(await documents.all())).not.toMatch(/PRIVATE|madeAt/)
    const { keys: published } = await other.published()
    expect(published).toHaveLength(1)
    expect(published[0]).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: one.kid })
    expect(published[0]).not.toHaveProperty('d')
    await keys.close()
  })

  it('change every month; the one before stays published for a day', async () => {
    const { keys, clock } = open()
    const { kid } = await keys.current()
    await clock.advance(30 * dayMs - 1)
    expect((await keys.current()).kid).toBe(kid)
    await clock.advance(2)
    const next = await keys.current()
    expect(next.kid).not.toBe(kid)
    expect((await keys.published()).keys.map((each) => each.kid)).toEqual([next.kid, kid])
    await clock.advance(dayMs + 60_000)
    expect((await keys.published()).keys.map((each) => each.kid)).toEqual([next.kid])
  })
})

describe('an assertion of who calls', () => {
  it('is for one audience and a minute, is made anew, and can be checked', async () => {
    const { keys, assertions, clock } = open()
    const credentials = assertions.by(alice, 'https://z.example/mcp', undefined)
    expect(credentials.isFresh()).toBe(false)
    await credentials.renew(undefined)
    expect(credentials.isFresh()).toBe(true)
    const { [assertionHeader]: assertion } = credentials.headers()
    expect(credentials.headers()).toBe(credentials.headers())
    const set = createLocalJWKSet((await keys.published()) as never)
    const rules = { issuer: 'https://gw', audience: 'https://z.example/mcp', currentDate: new Date(clock.wall()) }
    const { payload, protectedHeader } = await jwtVerify(assertion!, set, rules)
    expect(protectedHeader.alg).toBe('ES256')
    expect(payload).toMatchObject({ sub: 'alice', sub_iss: 'https://idp', name: '爱丽丝', groups: ['eng'] })
    expect(payload.exp! - payload.iat!).toBe(60)
    await expect(jwtVerify(assertion!, set, { ...rules, audience: 'https://other' })).rejects.toThrow('aud')
    await clock.advance(30_001)
    expect(credentials.isFresh()).toBe(false)
    await credentials.renew(undefined)
    expect(credentials.headers()[assertionHeader]).not.toBe(assertion)
  })

  it('goes beside what signs the request, and renews that too', async () => {
    const { assertions } = open()
    let renewals = 0
    let headers: Record<string, string> = {}
    const inner = {
      headers: () => headers,
      isFresh: () => renewals > 0,
      renew: async () => {
        renewals += 1
        headers = { authorization: `Bearer ${renewals}` }
      },
    }
    const credentials = assertions.by(alice, 'https://z', inner)
    await credentials.renew(undefined)
    expect(credentials.headers()).toMatchObject({ authorization: 'Bearer 1', [assertionHeader]: expect.any(String) })
    await credentials.renew(undefined)
    expect(renewals).toBe(1)
  })
})
