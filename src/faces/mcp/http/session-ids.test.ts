import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../model/json.js'
import { createSeals } from '../../../model/seal.js'
import { longestSessionId, SessionIds } from './session-ids.js'

const secret = 'a secret of thirty-two characters'
const idsUnder = (key: string, previous: readonly string[] = []) =>
  new SessionIds(createSeals(key, previous).of('session'), () => 0)
const ids = idsUnder(secret)
const hello = { protocolVersion: '2025-11-25', capabilities: { elicitation: {}, roots: { listChanged: true } } }

// As they come off the wire, and no larger than a handshake may be: one that is, is refused, which S5 is about.
const anyCapabilities = fc
  .dictionary(
    fc.constantFrom('elicitation', 'sampling', 'roots', 'tasks', 'extensions', 'experimental', 'made-up', '__proto__'),
    fc.dictionary(fc.string({ maxLength: 90 }), fc.oneof(fc.object({ maxDepth: 2 }), fc.string()), { maxKeys: 12 }),
  )
  .map((drawn) => JSON.parse(JSON.stringify(drawn)) as JsonObject)
  .filter((drawn) => Buffer.byteLength(JSON.stringify(drawn)) <= 16_384)
const anyName = fc.string({ unit: 'binary', maxLength: 300 })

describe('session ids', () => {
  it('say in every process of one secret what the handshake said, in at most 1,024 characters', () => {
    fc.assert(
      fc.property(anyName, anyName, anyCapabilities, (owner, profile, capabilities) => {
        const issued = ids.issue(owner, profile, { ...hello, capabilities })
        expect(issued.id.length).toBeLessThanOrEqual(longestSessionId)
        expect(issued.id).toMatch(/^pb1\.[A-Za-z0-9_-]+$/)
        expect(Buffer.byteLength(JSON.stringify(issued.capabilities))).toBeLessThanOrEqual(512)
        expect(idsUnder(secret).open(issued.id, owner, profile)).toEqual(issued)
      }),
    )
  })

  it('are nobody else’s, and of no other profile', () => {
    fc.assert(
      fc.property(anyName, anyName, anyName, (owner, profile, other) => {
        fc.pre(other !== owner && other !== profile)
        const { id } = ids.issue(owner, profile, hello)
        expect(ids.open(id, other, profile)).toBeUndefined()
        expect(ids.open(id, owner, other)).toBeUndefined()
      }),
    )
  })

  it('open only as they were written: not with a bit turned, cut off, prolonged or made up', () => {
    const { id } = ids.issue('anna', 'default', hello)
    const bytes = Buffer.from(id.slice(4), 'base64url')
    // The first byte names the key, so a turned one must not open by any other either.
    for (let at = 0; at < bytes.length * 8; at += 1) {
      const turned = Buffer.from(bytes)
      turned[at >> 3]! ^= 1 << (at & 7)
      expect(ids.open(`pb1.${turned.toString('base64url')}`, 'anna', 'default')).toBeUndefined()
    }
    for (let length = 0; length < id.length; length += 1)
      expect(ids.open(id.slice(0, length), 'anna', 'default')).toBeUndefined()
    const wrong = [
      `${id}A`,
      `${id}=`,
      ` ${id}`,
      id.slice(4),
      id.replace('pb1.', 'pb2.'),
      `pb1.${'A'.repeat(1_000_000)}`,
    ]
    for (const each of [...wrong, '', 'pb1.', '__proto__', '3f0c6b1e-8f4e-4c7a-9d0a-0a4f3b2c1d0e'])
      expect(ids.open(each, 'anna', 'default')).toBeUndefined()
    fc.assert(fc.property(fc.string({ maxLength: 2000 }), (text) => ids.open(text, 'anna', 'default') === undefined))
  })

  it('are no state, and a state is no id: each purpose has a key of its own', () => {
    const content = { s: 'x', o: '', p: 'default', v: '2025-11-25', c: {}, t: 0 }
    const state = createSeals(secret).of('state').close(content)
    expect(ids.open(`pb1.${state}`, 'anna', 'default')).toBeUndefined()
  })

  it('outlive a change of the secret while the earlier one is named, and no longer', () => {
    const { id } = ids.issue('anna', 'default', hello)
    expect(idsUnder('another secret that came after it', [secret]).open(id, 'anna', 'default')?.id).toBe(id)
    expect(idsUnder('another secret that came after it').open(id, 'anna', 'default')).toBeUndefined()
  })

  it('keep what a client can do where it says too much, the least missed first', () => {
    const long = { note: 'x'.repeat(450) }
    const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, experimental: { a: long } }
    const kept = ids.issue('anna', 'default', { ...hello, capabilities }).capabilities
    expect(kept).toEqual({ elicitation: { form: {}, url: {} }, sampling: {} })
    const extensions = Object.fromEntries(
      Array.from({ length: 16 }, (_, at) => [`com.example/${'x'.repeat(60)}${at}`, {}]),
    )
    const named = ids.issue('anna', 'default', { ...hello, capabilities: { roots: {}, extensions } }).capabilities
    expect(named.roots).toEqual({})
    expect(Object.keys(named.extensions as JsonObject).length).toBeGreaterThan(3)
  })
})
