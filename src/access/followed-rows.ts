import { messageOf } from '../errors.js'
import { createCatchUp } from '../model/catch-up.js'
import type { Clock } from '../model/clock.js'
import { freshRuns } from '../model/fresh-runs.js'
import type { JsonValue } from '../model/json.js'
import type { SharedDocuments } from '../storage/store.js'
import type { Logger } from '../telemetry/logger.js'

export interface FollowedRowsOptions<Row> {
  readonly documents: SharedDocuments
  readonly clock: Clock
  readonly logger: Logger
  /** What they are, for the log: `sign-in sessions`. */
  readonly what: string
  /** A row as it was written, or undefined: what is not whole counts for nothing. */
  readonly parse: (id: string, value: JsonValue) => Row | undefined
  /** How often to look for changes by other processes, where nobody tells us of them. Default: 500 ms. */
  readonly followMs?: number | undefined
  /** When something about a row changes by itself, milliseconds since the epoch. */
  readonly changesAt?: ((row: Row) => number) | undefined
  /** Called after whatever may have changed what counts: a reading, a write of our own, the time. */
  readonly onChange: (rows: ReadonlyMap<string, Row>) => void
}

/** Rows that several processes write, held in memory and kept like the place they come from. */
export interface FollowedRows<Row> {
  readonly rows: ReadonlyMap<string, Row>
  /** Looks whether somebody wrote before this was asked; never rejects. */
  refresh(): Promise<void>
  /** After a write of our own, which counts here at once; undefined where the row is gone. */
  note(id: string, row: Row | undefined): void
  close(): void
}

// Clocks are set: nobody waits longer than this for what time alone changes.
const longestWaitMs = 60_000

/** Reads them and follows them until closed. Rejects where they cannot be read: nobody should start on a guess. */
export const openFollowedRows = async <Row>(options: FollowedRowsOptions<Row>): Promise<FollowedRows<Row>> => {
  const { documents, clock, logger, what, parse, followMs = 500, changesAt, onChange } = options
  let rows = new Map<string, Row>()
  /** Writes of ours that a reading under way may have missed. */
  let noted = new Map<string, Row | undefined>()
  let problem: string | undefined
  let cancel = () => {}
  let closed = false

  // One after the other: an earlier reading that comes back later would bring to life what has ended.
  const reload = freshRuns(async () => {
    noted = new Map()
    const read = new Map<string, Row>()
    for (const { id, value } of await documents.all()) {
      const row = parse(id, value)
      if (row === undefined)
        logger.log('warn', 'A stored row cannot be read and counts for nothing', { what, id: id.slice(0, 64) })
      else read.set(id, row)
    }
    for (const [id, row] of noted) put(read, id, row)
    rows = read
    onChange(rows)
  })
  // What is known so far stays: a store that cannot be read for a moment must not sign everybody out.
  const tell = (error: unknown): void => logger.log('error', `The ${what} cannot be read anew: ${messageOf(error)}`)
  const refresh = freshRuns(async () => {
    try {
      if (await documents.refresh()) await reload()
      else onChange(rows)
      problem = undefined
    } catch (error) {
      if (!closed && problem !== messageOf(error)) tell(error)
      problem = messageOf(error)
    }
  })

  /** Where we are told of every change, nothing is left to look for but what time changes. */
  const untilChange = (): void => {
    cancel()
    if (closed) return
    const now = clock.wall()
    let soonest = longestWaitMs
    if (changesAt)
      for (const row of rows.values()) {
        const left = changesAt(row) - now
        if (left > 0 && left < soonest) soonest = left
      }
    cancel = clock.after(soonest, () => {
      onChange(rows)
      untilChange()
    })
  }
  const poll = (): void => {
    cancel = clock.after(followMs, () => void refresh().then(() => closed || poll()))
  }
  const others = createCatchUp(
    async () => {
      await reload()
      untilChange()
    },
    { clock, onFailure: tell },
  )
  const leave = documents.follow?.(others.run)

  try {
    await reload()
  } catch (error) {
    leave?.()
    throw error
  }
  if (leave) untilChange()
  else poll()
  return {
    get rows() {
      return rows
    },
    refresh: leave ? others.run : refresh,
    note: (id, row) => {
      put(rows, id, row)
      noted.set(id, row)
      onChange(rows)
    },
    close: () => {
      closed = true
      leave?.()
      others.close()
      cancel()
    },
  }
}

const put = <Row>(rows: Map<string, Row>, id: string, row: Row | undefined): void => {
  if (row === undefined) rows.delete(id)
  else rows.set(id, row)
}
