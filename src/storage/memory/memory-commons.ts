import { randomBytes } from 'node:crypto'
import { GatewayError } from '../../errors.js'
import { type Clock, systemClock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import type { Commons, Heard, LeaseTable, Replica, SessionRows } from '../commons.js'

/** What the replicas of one process share: `of()` gives each of them its own view of the same rows. */
export interface MemoryCommons {
  of(): Commons
}

/** One who follows, told one thing at a time. */
class Following {
  readonly #told: () => void | Promise<void>
  #isTold = false
  #running: Promise<void> | undefined

  constructor(told: () => void | Promise<void>) {
    this.#told = told
  }

  tell(): void {
    this.#isTold = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  async settled(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #run(): Promise<void> {
    while (this.#isTold) {
      this.#isTold = false
      try {
        await this.#told()
      } catch {
        // Whoever could not take it up has said so.
      }
    }
  }
}

interface Lease {
  holder: string | undefined
  epoch: number
  until: number
}

interface SessionRow {
  readonly state: JsonObject
  readonly ended: boolean
  readonly version: number
  readonly until: number
}

/** The least {@link Commons}: maps, for tests and for workers of one process. It is always up, and its clock is everybody's. */
export const createMemoryCommons = (clock: Clock = systemClock): MemoryCommons => {
  const secret = randomBytes(32).toString('base64url')
  const followers = new Map<string, Set<Following>>()
  const sessions = new Map<string, SessionRow>()
  const pending = new Map<string, { readonly sealed: string; readonly until: number }>()
  const buckets = new Map<string, { tokens: number; at: number }>()
  let version = 0
  const announce = (kind: string): void => {
    for (const each of [...(followers.get(kind) ?? [])]) each.tell()
  }
  const leases = createLeases(clock, () => announce('lease'))
  const keep = (sid: string, row: Omit<SessionRow, 'version'>): void => {
    for (const [old, { until }] of sessions) if (until <= clock.wall()) sessions.delete(old)
    sessions.set(sid, { ...row, version: ++version })
    announce('session')
  }
  const rowsOf = (): SessionRows => {
    let known = version
    return {
      get: async (sid) => {
        const row = sessions.get(sid)
        return row === undefined || row.until <= clock.wall() ? undefined : { state: row.state, ended: row.ended }
      },
      put: async (sid, changes, until) => {
        const before = sessions.get(sid)
        const merged = Object.entries({ ...before?.state, ...changes }).filter(([, value]) => value !== null)
        const state = Object.fromEntries(merged)
        keep(sid, { state, ended: before?.ended ?? false, until: Math.max(until, before?.until ?? 0) })
      },
      end: async (sid, until) => {
        const before = sessions.get(sid)
        keep(sid, { state: before?.state ?? {}, ended: true, until: Math.max(until, before?.until ?? 0) })
      },
      changes: async () => {
        const since = known
        known = version
        return [...sessions]
          .filter(([, row]) => row.version > since)
          .sort(([, a], [, b]) => a.version - b.version)
          .map(([sid, { state, ended }]) => ({ sid, state, ended }))
      },
    }
  }
  return {
    of: () => ({
      isUp: true,
      lagMs: () => 0,
      onUp: () => () => {},
      follow: (kind, listener) => {
        const set = followers.get(kind) ?? new Set()
        followers.set(kind, set)
        const own = new Following(listener)
        set.add(own)
        return () => set.delete(own)
      },
      look: async () => {
        await Promise.all([...followers.values()].flatMap((set) => [...set].map((each) => each.settled())))
      },
      secret: async () => secret,
      leases,
      buckets: {
        draw: async (key, wanted, { calls, perMs }) => {
          const now = clock.now()
          const { tokens, at } = buckets.get(key) ?? { tokens: calls, at: now }
          const there = Math.min(calls, tokens + ((now - at) * calls) / perMs)
          const granted = Math.max(0, Math.min(wanted, Math.floor(there)))
          buckets.set(key, { tokens: there - granted, at: now })
          return granted
        },
      },
      sessions: rowsOf(),
      pending: {
        put: async (id, sealed, until) => {
          for (const [old, row] of pending) if (row.until <= clock.wall()) pending.delete(old)
          pending.set(id, { sealed, until })
        },
        take: async (id) => {
          const row = pending.get(id)
          pending.delete(id)
          return row === undefined || row.until <= clock.wall() ? undefined : row.sealed
        },
      },
    }),
  }
}

const createLeases = (clock: Clock, announce: () => void): LeaseTable => {
  const leases = new Map<string, Lease>()
  const replicas = new Map<string, { readonly replica: Replica; readonly leaseMs: number; readonly seen: number }>()
  const heard = (leaseMs: number): Heard => ({
    replicas: [...replicas.values()]
      .filter(({ seen }) => clock.now() - seen < 10 * leaseMs)
      .map(({ replica, seen }) => ({ ...replica, silentMs: clock.now() - seen }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    leases: [...leases]
      .map(([name, { holder, epoch, until }]) => ({
        ...{ name, holder, epoch },
        isFree: until < clock.now(),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    storeMs: Math.round(clock.wall()),
  })
  const free = (lease: Lease): void => {
    lease.holder = undefined
    lease.until = Number.NEGATIVE_INFINITY
    announce()
  }
  return {
    beat: async ({ replica, held, leaseMs }) => {
      const other = replicas.get(replica.name)
      if (other && other.replica.instance !== replica.instance && clock.now() - other.seen <= other.leaseMs)
        throw nameTaken(replica.name)
      replicas.set(replica.name, { replica, leaseMs, seen: clock.now() })
      for (const { name, epoch } of held) {
        const lease = leases.get(name)
        if (lease?.epoch === epoch && lease.holder === replica.name) lease.until = clock.now() + leaseMs
      }
      return heard(leaseMs)
    },
    read: async (leaseMs) => heard(leaseMs),
    take: async (name, holder, leaseMs) => {
      const lease = leases.get(name)
      if (lease !== undefined && lease.until >= clock.now()) return undefined
      const epoch = (lease?.epoch ?? 0) + 1
      leases.set(name, { holder, epoch, until: clock.now() + leaseMs })
      announce()
      return epoch
    },
    giveBack: async ({ name, epoch }, holder) => {
      const lease = leases.get(name)
      if (lease?.epoch === epoch && lease.holder === holder) free(lease)
    },
    release: async (name) => {
      const lease = leases.get(name)
      if (lease?.holder === undefined || lease.until <= clock.now()) return false
      // Free no earlier than before: that long its holder has to notice.
      lease.holder = undefined
      lease.epoch++
      announce()
      return true
    },
    leave: async ({ name, instance }) => {
      if (replicas.get(name)?.replica.instance !== instance) return
      replicas.delete(name)
      announce()
    },
  }
}

const nameTaken = (name: string) =>
  new GatewayError(
    'FLEET_NAME_TAKEN',
    `Another process of the fleet is called '${name.slice(0, 128)}' and lives. Give each replica its own fleet.replica, or leave it out.`,
    { details: { replica: name } },
  )
