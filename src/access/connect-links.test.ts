import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { createSeals } from '../model/seal.js'
import { ConnectLinks, linkMs } from './connect-links.js'

const open = (
  rows?: ConstructorParameters<typeof ConnectLinks>[0]['rows'],
  secret = 'one',
  clock = new VirtualClock(),
) => ({
  clock,
  links: new ConnectLinks({ seal: createSeals(secret).of('connect'), clock, rows }),
})
const alices = { identity: 'person:alice', source: 'docs' }

describe('links by which people sign in at a source', () => {
  it('say whose they are, work once, and end after ten minutes', async () => {
    const { links, clock } = open()
    const text = await links.make(alices)
    expect(links.look(text)).toMatchObject(alices)
    expect(await Promise.all([links.use(text), links.use(text)])).toEqual([true, false])
    expect(links.look(text)).toBeUndefined()
    const late = await links.make(alices)
    await clock.advance(linkMs)
    expect([links.look(late), await links.use(late)]).toEqual([undefined, false])
  })

  it('are given again while they are good for a while, so that one person never has many', async () => {
    const { links, clock } = open()
    const seen = new Set<string>()
    for (let minute = 0; minute < 60; minute++) {
      const text = await links.make(alices)
      expect(links.look(text)).toMatchObject(alices)
      seen.add(text)
      await clock.advance(60_000)
    }
    expect(seen.size).toBeLessThanOrEqual(7)
    expect(await links.make({ ...alices, source: 'other' })).not.toBe(await links.make(alices))
    expect(await links.make({ ...alices, identity: 'person:bob' })).not.toBe(await links.make(alices))
  })

  it('open nowhere else, and not once a character is another', async () => {
    const { links, clock } = open()
    const text = await links.make(alices)
    expect(open(undefined, 'two', clock).links.look(text)).toBeUndefined()
    // Another seal of the same secret is no link.
    expect(
      links.look(
        createSeals('one')
          .of('state')
          .close({ ...alices, nonce: 'n', until: 1e15 }),
      ),
    ).toBeUndefined()
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...'ABCxyz019-_='), (at, letter) => {
        fc.pre(text[at] !== letter)
        expect(links.look(text.slice(0, at) + letter + text.slice(at + 1))).toBeUndefined()
      }),
    )
    for (const other of [undefined, '', 7, {}, `${text}${text}`]) expect(links.look(other)).toBeUndefined()
  })

  it('are used up by whichever replica is first', async () => {
    const kept = new Map<string, string>()
    const rows = {
      put: async (id: string, sealed: string) => void kept.set(id, sealed),
      take: async (id: string) => {
        const found = kept.get(id)
        kept.delete(id)
        return found
      },
    }
    const clock = new VirtualClock()
    const [a, b] = [open(rows, 'one', clock).links, open(rows, 'one', clock).links]
    const text = await a.make(alices)
    expect(b.look(text)).toMatchObject(alices)
    expect(await Promise.all([b.use(text), a.use(text)])).toEqual([true, false])
    expect([...kept]).toEqual([])
  })
})
