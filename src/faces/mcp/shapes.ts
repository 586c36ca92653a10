import type { Clock } from '../../model/clock.js'
import type { ClientSession, Exchange } from './exchange.js'
import type { Exposure } from './exposure.js'

/**
 * What `auto` came to for each client. Decided at its first list and kept: a source that is slow must not turn a list of tools
 * into one that searches them while a client looks at it. Whoever connects anew is decided for anew.
 */
export interface Shapes {
  of(exchange: Exchange, now: Exposure): Exposure
  /** An operator changed the board: everybody is decided for anew. */
  renew(): void
}

interface Shape {
  readonly generation: number
  readonly exposure: Exposure
  readonly usedAt: number
}

// Without a session nobody says goodbye: who has not listed for so long comes anew.
const forgottenMs = 600_000
const mostStrangers = 1024

export const createShapes = (clock: Clock): Shapes => {
  const bySession = new WeakMap<ClientSession, Shape>()
  const byCaller = new Map<string, Shape>()
  let generation = 0

  const isFresh = (shape: Shape | undefined): shape is Shape =>
    shape?.generation === generation && clock.now() - shape.usedAt < forgottenMs
  const ofStranger = ({ caller }: Exchange, now: Exposure): Exposure => {
    const key = JSON.stringify([caller.id, caller.profile])
    const known = byCaller.get(key)
    const exposure = isFresh(known) ? known.exposure : now
    byCaller.delete(key)
    byCaller.set(key, { generation, exposure, usedAt: clock.now() })
    if (byCaller.size > mostStrangers) byCaller.delete(byCaller.keys().next().value as string)
    return exposure
  }

  return {
    of: (exchange, now) => {
      const { profile, session } = exchange
      if ((profile.expose ?? 'auto') !== 'auto') return now
      if (!session) return ofStranger(exchange, now)
      const known = bySession.get(session)
      if (known?.generation === generation) return known.exposure
      bySession.set(session, { generation, exposure: now, usedAt: 0 })
      return now
    },
    renew: () => {
      generation += 1
    },
  }
}
