import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import type { Caller } from '../model/caller.js'
import { createSeals, type Seals } from '../model/seal.js'
import { createPeerPasses, type PassedRequest } from './peer-pass.js'

const secret = 'a secret of the fleet that nobody guesses'
const ann: Caller = { id: 'ann', rights: ['discover', 'call'], profile: 'desk' }

const replica = (name: string, seals: Seals = createSeals(secret), offsetMs = 0) => {
  const clock = new VirtualClock()
  const us = { name, instance: `${name}-1` }
  const passes = createPeerPasses({
    seal: seals.of('peer'),
    us: () => us,
    now: () => clock.wall() + offsetMs,
    clock,
  })
  return { passes, clock, us }
}

const request = (to: PassedRequest['to'], more: Partial<PassedRequest> = {}): PassedRequest => ({
  method: 'POST',
  target: '/fleet/v1/pass?x=1',
  headers: { accept: 'text/event-stream' },
  body: '{"a":1}',
  caller: ann,
  epoch: 7,
  to,
  ...more,
})

const arrives = (at: ReturnType<typeof replica>, text: unknown, as: PassedRequest) => {
  const opened = at.passes.open(text)
  if ('refused' in opened) return opened.refused
  return opened.fits(as.method, as.target, as.headers ?? {}, as.body) ?? 'made for another request'
}

describe('a pass between replicas', () => {
  it('says who asks, for whom and under which epoch', () => {
    const [a, b] = [replica('a'), replica('b')]
    const asked = request(b.us)
    expect(arrives(b, a.passes.write(asked), asked)).toEqual({
      from: 'a',
      caller: { ...ann, actsForAccounts: undefined },
      epoch: 7,
      headers: { accept: 'text/event-stream' },
    })
  })

  it('opens nothing but the request it was made for, whichever byte of it differs', () => {
    fc.assert(
      fc.property(
        fc.record({ target: fc.string(), body: fc.string(), accept: fc.string() }),
        fc.record({ target: fc.string(), body: fc.string(), accept: fc.string() }),
        (made, came) => {
          const [a, b] = [replica('a'), replica('b')]
          const asWritten = (way: typeof made) =>
            request(b.us, { target: way.target, body: way.body, headers: { accept: way.accept } })
          const got = arrives(b, a.passes.write(asWritten(made)), asWritten(came))
          const same = JSON.stringify(made) === JSON.stringify(came)
          expect(typeof got === 'object').toBe(same)
        },
      ),
    )
  })

  it('does not move a byte from the target to the body', () => {
    const [a, b] = [replica('a'), replica('b')]
    const text = a.passes.write(request(b.us, { target: '/x1', body: '2', headers: {} }))
    expect(arrives(b, text, request(b.us, { target: '/x', body: '12', headers: {} }))).toBe('made for another request')
  })

  it('is taken once', () => {
    const [a, b] = [replica('a'), replica('b')]
    const text = a.passes.write(request(b.us))
    expect(typeof arrives(b, text, request(b.us))).toBe('object')
    expect(arrives(b, text, request(b.us))).toContain('used before')
  })

  it('is not taken again at the end of its time, nor forgotten before', async () => {
    const [a, b] = [replica('a', undefined, 29_000), replica('b')]
    const text = a.passes.write(request(b.us))
    expect(typeof arrives(b, text, request(b.us))).toBe('object')
    for (let second = 0; second < 130; second++) {
      await b.clock.advance(1000)
      expect(typeof arrives(b, text, request(b.us))).toBe('string')
    }
  })

  it('is refused when it is too old, or dated too far ahead', () => {
    for (const offsetMs of [-31_000, 31_000]) {
      const [a, b] = [replica('a', undefined, offsetMs), replica('b')]
      expect(arrives(b, a.passes.write(request(b.us)), request(b.us))).toContain('clock')
    }
  })

  it('is for one process: not for another replica, nor for the next of the same name', () => {
    const [a, b, c] = [replica('a'), replica('b'), replica('c')]
    expect(arrives(c, a.passes.write(request(b.us)), request(b.us))).toContain('another replica')
    const earlier = { name: 'b', instance: 'b-0' }
    expect(arrives(b, a.passes.write(request(earlier)), request(earlier))).toContain('another replica')
  })

  it('is nothing under another secret, and opens under an earlier one', () => {
    const a = replica('a')
    const stranger = replica('b', createSeals('another secret, as long as the first one'))
    expect(arrives(stranger, a.passes.write(request(stranger.us)), request(stranger.us))).toContain('fleet.secret')
    const renewed = replica('b', createSeals('another secret, as long as the first one', [secret]))
    expect(typeof arrives(renewed, a.passes.write(request(renewed.us)), request(renewed.us))).toBe('object')
  })

  it('is nothing when it is changed, cut, or something else that we sealed', () => {
    const [a, b] = [replica('a'), replica('b')]
    const text = a.passes.write(request(b.us))
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom('A', 'b', '7', '_', '=', ' '), (at, letter) => {
        fc.pre(text[at] !== letter)
        const forged = text.slice(0, at) + letter + text.slice(at + 1)
        expect(typeof arrives(b, forged, request(b.us))).toBe('string')
      }),
    )
    for (const other of [undefined, '', text.slice(1), [text], createSeals(secret).of('session').close({ from: 'a' })])
      expect(arrives(b, other, request(b.us))).toContain('fleet.secret')
  })

  it('gives no right that is unknown here', () => {
    const [a, b] = [replica('a'), replica('b')]
    const caller = { id: 'ann', rights: ['call', 'everything'] } as unknown as Caller
    const asked = request(b.us, { caller })
    expect(arrives(b, a.passes.write(asked), asked)).toMatchObject({ caller: { rights: ['call'] } })
  })
})
