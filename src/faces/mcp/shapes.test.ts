import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { safeNaming } from '../../catalog/names.js'
import { localCaller } from '../../model/caller.js'
import type { ClientSession, Exchange } from './exchange.js'
import { createShapes } from './shapes.js'

const exchange = (more: Partial<Exchange> = {}): Exchange =>
  ({ caller: localCaller, profile: { naming: safeNaming }, ...more }) as Exchange
const session = (): ClientSession => ({}) as ClientSession

describe('the shape of a client’s list (U1)', () => {
  it('is decided at its first list and kept, whatever comes later; another session is decided for anew', () => {
    const shapes = createShapes(new VirtualClock())
    const first = exchange({ session: session() })
    expect([shapes.of(first, 'flat'), shapes.of(first, 'search')]).toEqual(['flat', 'flat'])
    expect(shapes.of(exchange({ session: session() }), 'search')).toBe('search')
  })

  it('is kept for callers without a session too, until they have been away for ten minutes', async () => {
    const clock = new VirtualClock()
    const shapes = createShapes(clock)
    expect([shapes.of(exchange(), 'flat'), shapes.of(exchange(), 'search')]).toEqual(['flat', 'flat'])
    expect(shapes.of(exchange({ caller: { ...localCaller, id: 'other' } }), 'search')).toBe('search')
    await clock.advance(599_999)
    expect(shapes.of(exchange(), 'search')).toBe('flat')
    await clock.advance(600_000)
    expect(shapes.of(exchange(), 'search')).toBe('search')
  })

  it('changes when an operator changed the board', () => {
    const shapes = createShapes(new VirtualClock())
    const one = exchange({ session: session() })
    shapes.of(one, 'flat')
    shapes.of(exchange(), 'flat')
    shapes.renew()
    expect([shapes.of(one, 'search'), shapes.of(exchange(), 'search')]).toEqual(['search', 'search'])
  })

  it('is what the profile says where it says something', () => {
    const shapes = createShapes(new VirtualClock())
    const asked = exchange({ profile: { naming: safeNaming, expose: 'hybrid' } })
    expect([shapes.of(asked, 'hybrid'), shapes.of(asked, 'flat')]).toEqual(['hybrid', 'flat'])
  })
})
