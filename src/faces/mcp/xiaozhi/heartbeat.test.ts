import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../../test/helpers/virtual-clock.js'
import { createDialGate } from './dial-gate.js'
import { createHeartbeat } from './heartbeat.js'

describe('heartbeat', () => {
  const start = () => {
    const clock = new VirtualClock()
    const seen = { pings: 0, silent: 0 }
    const heartbeat = createHeartbeat({
      clock,
      everyMs: 30_000,
      patienceMs: 10_000,
      ping: () => void seen.pings++,
      onSilence: () => void seen.silent++,
    })
    return { clock, seen, heartbeat }
  }

  it('X15 pings every 30 s and hears silence after 10', async () => {
    const { clock, seen } = start()
    await clock.advance(39_999)
    expect(seen).toEqual({ pings: 1, silent: 0 })
    await clock.advance(1)
    expect(seen).toEqual({ pings: 1, silent: 1 })
  })

  it('goes on while pongs come, and knows how long they took', async () => {
    const { clock, seen, heartbeat } = start()
    for (let times = 0; times < 10; times++) {
      await clock.advance(30_000)
      await clock.advance(80)
      heartbeat.pong()
    }
    expect(seen).toEqual({ pings: 10, silent: 0 })
    expect(heartbeat.roundTripMs).toBe(80)
    expect(clock.pendingTimers).toBe(1)
  })

  it('W107 takes no notice of pongs nobody asked for', async () => {
    const { clock, heartbeat } = start()
    for (let times = 0; times < 1000; times++) heartbeat.pong()
    expect(clock.pendingTimers).toBe(1)
    expect(heartbeat.roundTripMs).toBeUndefined()
  })
})

describe('dial gate', () => {
  it('F31 lets five dial at a time and the next when one is through', () => {
    const gate = createDialGate(5)
    let dialling = 0
    const leave = Array.from({ length: 100 }, () => gate.enter(() => void dialling++))
    expect(dialling).toBe(5)
    leave[0]!()
    leave[0]!()
    expect(dialling).toBe(6)
    // One that gives up in the queue takes no place.
    leave[50]!()
    for (const each of leave) each()
    expect(dialling).toBe(99)
  })
})
