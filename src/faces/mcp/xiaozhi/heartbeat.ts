import type { Clock } from '../../../model/clock.js'

export interface HeartbeatOptions {
  readonly clock: Clock
  /** Between pings (X15). */
  readonly everyMs: number
  /** For the pong. */
  readonly patienceMs: number
  ping(): void
  /** No pong came in time: a half-open connection looks like a quiet one in every other way. */
  onSilence(): void
}

/** Asks whether the far side is still there. WebSocket pings, since relays drop JSON-RPC pings of ours (X7). */
export interface Heartbeat {
  pong(): void
  /** The last way there and back. */
  readonly roundTripMs: number | undefined
  stop(): void
}

export const createHeartbeat = ({ clock, everyMs, patienceMs, ping, onSilence }: HeartbeatOptions): Heartbeat => {
  let roundTripMs: number | undefined
  let askedAt: number | undefined
  let cancel = () => {}
  const ask = (): void => {
    askedAt = clock.now()
    cancel = clock.after(patienceMs, onSilence)
    ping()
  }
  const rest = (): void => {
    cancel = clock.after(everyMs, ask)
  }
  rest()
  return {
    pong: () => {
      // One that nobody asked for proves nothing.
      if (askedAt === undefined) return
      roundTripMs = clock.now() - askedAt
      askedAt = undefined
      cancel()
      rest()
    },
    get roundTripMs() {
      return roundTripMs
    },
    stop: () => cancel(),
  }
}
