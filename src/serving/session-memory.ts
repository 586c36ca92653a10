import { isGatewayError, messageOf } from '../errors.js'
import { type RememberedSession, type SessionMemory, SessionNotes } from '../faces/mcp/http/session-memory.js'
import type { Clock } from '../model/clock.js'
import { isRecord, type JsonObject, type JsonValue } from '../model/json.js'
import type { Commons } from '../storage/commons.js'
import type { Storage } from '../storage/storage.js'
import type { SharedDocuments } from '../storage/store.js'
import type { Logger } from '../telemetry/logger.js'

export interface OpenedSessionMemory extends SessionMemory {
  close(): Promise<void>
}

interface Around {
  readonly clock: Clock
  readonly logger: Logger
}

/** What sessions asked for and which of them ended: among replicas in their commons, else in a file that is written now and then. */
export const openSessionMemory = (storage: Storage, around: Around): Promise<OpenedSessionMemory> => {
  if (storage.commons) return Promise.resolve(new SharedSessionMemory(storage.commons, around))
  return openKeptMemory(storage.shared('sessions'), around)
}

// A crash forgets so much: a session that ended could be used again by its caller, one that asked for something asks again.
const saveMs = 2000
const rowsId = 'rows'

/** Of one process: all of it in one document, which is written at most every two seconds, and when we end. */
const openKeptMemory = async (documents: SharedDocuments, { clock, logger }: Around): Promise<OpenedSessionMemory> => {
  let stopTimer: (() => void) | undefined
  let saving = Promise.resolve()
  const save = (): void => {
    stopTimer?.()
    stopTimer = undefined
    const rows = Object.fromEntries(notes.living(clock.wall())) as unknown as JsonValue
    saving = saving
      .then(() => documents.put(rowsId, rows))
      .catch((error: unknown) => logger.log('warn', `What sessions asked for is not kept: ${messageOf(error)}`))
  }
  let isReading = true
  const notes = new SessionNotes(() => {
    if (!isReading) stopTimer ??= clock.after(saveMs, save)
  })
  try {
    for (const [sid, row] of Object.entries((await documents.get(rowsId)) ?? {})) {
      const { state, ended, until } = isRecord(row) ? row : {}
      if (isRecord(state) && typeof until === 'number' && until > clock.wall())
        notes.put(sid, { state: state as JsonObject, ended: ended === true, until })
    }
  } catch (error) {
    // Worth a line, but no gateway stays down for it.
    logger.log('warn', `What sessions asked for cannot be read: ${messageOf(error)}`)
  }
  isReading = false
  return {
    recall: (sid) => notes.recall(sid),
    note: (sid, changes, until) => notes.note(sid, changes, until),
    end: (sid, until) => notes.end(sid, until),
    follow: () => notes.follow(),
    close: async () => {
      if (stopTimer) save()
      await saving
      await documents[Symbol.asyncDispose]()
    },
  }
}

// No request waits longer for what was noted of its session: the store may have gone away without a word.
const patienceMs = 500
// Changes that could not be written while the store was away.
const mostUnwritten = 1000

type Told = (noted: ReadonlyMap<string, RememberedSession>) => void

interface Unwritten {
  readonly changes: JsonObject
  readonly ended: boolean
  readonly until: number
}

/** Of all replicas: rows that are written on change, and followed. */
class SharedSessionMemory implements OpenedSessionMemory {
  readonly #commons: Commons
  readonly #around: Around
  /** What we saw of others' endings: asked where the commons cannot be. */
  readonly #seen = new SessionNotes()
  readonly #listeners = new Set<Told>()
  readonly #unwritten = new Map<string, Unwritten>()
  /** Sessions of which a change of ours is on its way, and whether something came in meanwhile. */
  readonly #writing = new Map<string, { count: number; isLate: boolean }>()
  readonly #leave: readonly (() => void)[]
  #reading: Promise<void> | undefined
  #isDue = false

  constructor(commons: Commons, around: Around) {
    this.#commons = commons
    this.#around = around
    this.#leave = [
      commons.follow('session', () => this.#read()),
      commons.onUp((isUp) => {
        if (isUp) this.#writeAgain()
      }),
    ]
  }

  recall(sid: string): RememberedSession | undefined | Promise<RememberedSession | undefined> {
    const seen = this.#seen.recall(sid)
    if (seen?.ended || !this.#commons.isUp) return seen
    return this.#within(this.#commons.sessions.get(sid), seen)
  }

  note(sid: string, changes: JsonObject, until: number): void {
    const written = this.#commons.sessions.put(sid, changes, until)
    void this.#track(sid, written).catch(() => this.#later(sid, { changes, ended: false, until }))
  }

  async end(sid: string, until: number): Promise<void> {
    this.#seen.end(sid, until)
    try {
      await this.#commons.sessions.end(sid, until)
    } catch (error) {
      this.#later(sid, { changes: {}, ended: true, until })
      throw error
    }
  }

  follow(listener: Told): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    for (const leave of this.#leave) leave()
    this.#listeners.clear()
    await this.#reading
  }

  /** One reading at a time; who is told meanwhile reads once more. */
  #read(): void {
    this.#isDue = true
    this.#reading ??= (async () => {
      while (this.#isDue) {
        this.#isDue = false
        await this.#readOnce()
      }
    })().finally(() => {
      this.#reading = undefined
    })
  }

  async #readOnce(): Promise<void> {
    try {
      const noted = new Map<string, RememberedSession>()
      for (const { sid, state, ended } of await this.#commons.sessions.changes()) {
        if (ended) this.#seen.end(sid, this.#around.clock.wall() + dayMs)
        // What is on its way would look as if it had been taken back.
        const writing = this.#writing.get(sid)
        if (writing && !ended) writing.isLate = true
        else noted.set(sid, { state, ended })
      }
      this.#tell(noted)
    } catch (error) {
      // Told again with the next change, or when the store is back.
      if (!isGatewayError(error))
        this.#around.logger.log('warn', `Changes of sessions cannot be read: ${messageOf(error)}`)
    }
  }

  #tell(noted: ReadonlyMap<string, RememberedSession>): void {
    if (noted.size > 0) for (const listener of this.#listeners) listener(noted)
  }

  async #track(sid: string, written: Promise<void>): Promise<void> {
    const writing = this.#writing.get(sid) ?? { count: 0, isLate: false }
    this.#writing.set(sid, writing)
    writing.count += 1
    try {
      await written
    } finally {
      writing.count -= 1
      if (writing.count === 0) {
        this.#writing.delete(sid)
        if (writing.isLate) void this.#readAgain(sid)
      }
    }
  }

  async #readAgain(sid: string): Promise<void> {
    const row = await this.#commons.sessions.get(sid).catch(() => undefined)
    if (row) this.#tell(new Map([[sid, row]]))
  }

  #later(sid: string, { changes, ended, until }: Unwritten): void {
    const before = this.#unwritten.get(sid)
    if (!before && this.#unwritten.size >= mostUnwritten) return
    this.#unwritten.set(sid, {
      changes: { ...before?.changes, ...changes },
      ended: ended || before?.ended === true,
      until,
    })
  }

  #writeAgain(): void {
    const unwritten = [...this.#unwritten]
    this.#unwritten.clear()
    for (const [sid, { changes, ended, until }] of unwritten) {
      if (ended) void this.end(sid, until).catch(() => {})
      else this.note(sid, changes, until)
    }
    this.#read()
  }

  async #within(asked: Promise<RememberedSession | undefined>, otherwise: RememberedSession | undefined) {
    let stop = (): void => {}
    const late = new Promise<RememberedSession | undefined>((resolve) => {
      stop = this.#around.clock.after(patienceMs, () => resolve(otherwise))
    })
    try {
      return await Promise.race([asked, late])
    } catch {
      return otherwise
    } finally {
      stop()
    }
  }
}

const dayMs = 86_400_000
