import { describe, expect, it } from 'vitest'
import { localCaller } from '../../model/caller.js'
import type { Clock } from '../../model/clock.js'
import { createSeals } from '../../model/seal.js'
import type { Flow, Visit } from './flow.js'
import { WaitsElsewhere } from './not-ours.js'
import { createStates } from './waiting-room.js'

/** A machine by its two clocks: how long it is up, and what time it is. */
const clockAt = (upMs: number, wallMs: number): Clock => ({
  now: () => upMs,
  wall: () => wallMs,
  after: () => () => {},
})

const asking = (requestState?: string) =>
  ({
    caller: localCaller,
    request: { method: 'tools/call', params: { name: 'book', requestState } },
  }) as unknown as Visit

const noon = Date.UTC(2026, 10, 15, 12)
const tenMinutes = 10 * 60_000

describe('sealed states', () => {
  const seal = createSeals().of('state')
  const sealedAt = (upMs: number) => createStates(clockAt(upMs, noon), seal).ofSource(asking(), 'theirs')
  const openedAt = (state: string, upMs: number, wallMs: number) =>
    createStates(clockAt(upMs, wallMs), seal).open(asking(state))

  it('expire by the wall clock: in a machine that was up longer, and in one that slept meanwhile (O4)', () => {
    // Another process under the same key, up for a month: its own count of milliseconds is far past ours.
    expect(openedAt(sealedAt(1000), 30 * 86_400_000, noon + 1000)).toMatchObject({ upstream: 'theirs' })
    // A laptop asleep for an hour: its monotonic clock stood still.
    expect(() => openedAt(sealedAt(1000), 2000, noon + 3_600_000)).toThrow('not valid here')
    // One that has just started.
    expect(() => openedAt(sealedAt(86_400_000), 5, noon + tenMinutes + 1)).toThrow('not valid here')
  })

  it('are good until their very end (O4)', () => {
    const state = sealedAt(0)
    expect(openedAt(state, 0, noon + tenMinutes)).toMatchObject({ upstream: 'theirs' })
    expect(() => openedAt(state, 0, noon + tenMinutes + 1)).toThrow('not valid here')
  })

  it('of a call that waits say at which replica, to every replica of the seal', () => {
    const clock = clockAt(0, noon)
    const flow = { id: 'f', round: 1 } as Flow
    const state = createStates(clock, seal, 'r1').ofFlow(asking(), flow)
    expect(createStates(clock, seal, 'r1').open(asking(state))).toMatchObject({ flow: 'f', round: 1 })
    expect(() => createStates(clock, seal, 'r2').open(asking(state))).toThrow(new WaitsElsewhere('r1'))
    // Put to the caller by r2 over a link to r1, and brought to r1 itself: what looks like a source's state is its own.
    const overLink = createStates(clock, seal, 'r2').ofSource(asking(), state)
    expect(createStates(clock, seal, 'r1').open(asking(overLink))).toMatchObject({ flow: 'f', round: 1 })
    expect(createStates(clock, seal, 'r3').open(asking(overLink))).toMatchObject({ upstream: state })
    // A source's own state is at home everywhere.
    const theirs = createStates(clock, seal, 'r1').ofSource(asking(), 'theirs')
    expect(createStates(clock, seal, 'r2').open(asking(theirs))).toMatchObject({ upstream: 'theirs' })
  })
})
