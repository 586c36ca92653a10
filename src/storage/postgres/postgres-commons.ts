import { randomBytes } from 'node:crypto'
import type { Clock } from '../../model/clock.js'
import type { Commons, PendingRows } from '../commons.js'
import { createBuckets } from './buckets.js'
import type { Postgres } from './connection.js'
import type { Heads } from './heads.js'
import { createLeases } from './leases.js'
import { createSessionRows } from './sessions.js'

/** A look at the heads on request, at most this often: ten times a second. */
const lookMs = 100
/** The longest that a look waits for those who take up what it found. */
const settleMs = 5000

/** What replicas share, in the database that keeps the tools. */
export const createPostgresCommons = (database: Postgres, heads: Heads): Commons => {
  let lookedAt = Number.NEGATIVE_INFINITY
  let next: Promise<void> | undefined
  const look = async (): Promise<void> => {
    const waitMs = lookedAt + lookMs - database.clock.now()
    await (waitMs > 0 ? pause(database.clock, waitMs) : undefined)
    lookedAt = database.clock.now()
    // Who asks from now on may mean what is written from now on.
    next = undefined
    await heads.readAfresh()
    await Promise.race([heads.settled(), pause(database.clock, settleMs)])
  }
  heads.keepHouse(() => keepHouse(database))
  return {
    get isUp() {
      return database.isUp
    },
    lagMs: () => heads.lagMs(),
    onUp: (listener) => {
      heads.watch()
      return database.onUp(listener)
    },
    follow: (kind, listener) => heads.follow(kind, () => listener()),
    look: async () => {
      // What is known is all there is to know while the database is away.
      if (database.isAway) return
      next ??= look()
      await next
    },
    secret: async () => {
      const [row] = await database.write(
        `insert into ${database.tables.meta} as meta (key, value) values ('secret', $1)
         on conflict (key) do update set value = meta.value returning value`,
        [randomBytes(32).toString('base64url')],
      )
      return String(row?.value)
    },
    leases: createLeases(database, heads),
    buckets: createBuckets(database),
    sessions: createSessionRows(database, heads),
    pending: createPending(database),
  }
}

const pause = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve))

const createPending = (database: Postgres): PendingRows => {
  const { pending } = database.tables
  return {
    put: async (id, sealed, until) => {
      await database.write(
        `insert into ${pending} (id, sealed, until) values ($1, $2, to_timestamp($3::float8 / 1000))
         on conflict (id) do update set sealed = excluded.sealed, until = excluded.until`,
        [id, sealed, until],
      )
    },
    take: async (id) => {
      const [row] = await database.write(
        `delete from ${pending} where id = $1 returning sealed, until > clock_timestamp() as good`,
        [id],
      )
      return row?.good === true ? String(row.sealed) : undefined
    },
  }
}

const dead = "interval '1 day'"

/** Takes away what nobody can want any more. Done by whoever comes first; the others find little to do. */
const keepHouse = async (database: Postgres): Promise<void> => {
  const { tool, document, session, pending, bucket, replica, meta } = database.tables
  await database.transaction(async (query) => {
    const [turn] = await query('select pg_try_advisory_xact_lock(hashtextextended($1, 7204)) as ours', [tool])
    if (turn?.ours !== true) return
    await query(`with pruned as (delete from ${tool} where deleted and at < now() - ${dead} returning version)
      insert into ${meta} as meta (key, value) select 'pruned tools', max(version)::text from pruned having max(version) is not null
      on conflict (key) do update set value = greatest(meta.value::bigint, excluded.value::bigint)::text`)
    await query(`delete from ${document} where deleted and at < now() - ${dead}`)
    await query(`delete from ${session} where until < now() - interval '1 minute'`)
    await query(`delete from ${pending} where until < now()`)
    await query(`delete from ${bucket} where full_at < now() - interval '1 minute'`)
    await query(`delete from ${replica} where seen < now() - ${dead}`)
  })
}
