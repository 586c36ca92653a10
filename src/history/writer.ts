import { messageOf } from '../errors.js'
import { isErrorAnswer } from '../model/answer.js'
import type { Call } from '../model/call.js'
import type { Clock } from '../model/clock.js'
import type { Outcome } from '../model/outcome.js'
import type { CallRecord } from '../telemetry/calls.js'
import { closeAtExit, leaveToItself } from '../telemetry/close-at-exit.js'
import { jsonBytes } from '../telemetry/json-bytes.js'
import { blockOf } from './block.js'
import { Dictionary } from './dictionary.js'
import { dayMs } from './folder.js'
import { OpenSegment } from './open-segment.js'
import { flagged, mostAttempts, narrow, recordBytes, unknownBytes, viewsOf, wide } from './record.js'
import { type ValueBounds, valuesEntry, valuesOf } from './values.js'

export interface WriterOptions {
  readonly folder: string
  readonly clock: Clock
  /** Takes secrets out of what is kept in words. */
  readonly clean: (text: string) => string
  /** What is kept of what is said in calls of this profile; undefined, as by default, is nothing. */
  readonly valuesFor: (profile: string) => ValueBounds | undefined
  /** Then a new one begins. */
  readonly segmentBytes: () => number
  readonly on: {
    /** Once, until it can be written again. */
    readonly trouble: (message: string) => void
    /** So many calls were not kept. */
    readonly lost: (calls: number) => void
    /** A block arrived. */
    readonly written: () => void
    /** A segment is as large as it gets. */
    readonly turned: () => void
  }
}

const flushMs = 1000
/** Held in memory at most; then they are written at once. */
const mostHeld = 4096
/** On its way to a disk that hangs. */
const mostWaitingBytes = 8 * 1024 * 1024
const mostValueBytes = 64 * 1024 * 1024
/** A clock that was put back further than this gets a segment of its own. */
const backMs = 60_000
const retryMs = 10_000

/** What is on its way to the disk. */
interface Taken {
  readonly segment: OpenSegment
  readonly block: Buffer
  /** For the values file. */
  readonly said: Buffer
  readonly count: number
}

/**
 * Keeps calls: into columns while a call ends, onto the disk within a second. Nothing is asked of the disk while somebody
 * waits, and what it does not take is counted and let go.
 */
export class CallWriter {
  readonly #options: WriterOptions
  readonly #memory = new ArrayBuffer(mostHeld * recordBytes)
  readonly #bytes = new Uint8Array(this.#memory)
  readonly #views = viewsOf(this.#memory, 0, mostHeld)
  #held = 0
  #heldValues: Buffer[] = []
  #valueBytes = 0
  #segment: OpenSegment | undefined
  #dictionary: Dictionary
  /** So many words are in the file. */
  #told = 0
  #segmentSize = 0
  #lastAt = 0
  #timer: (() => void) | undefined
  #writing: Promise<void> = Promise.resolve()
  #waitingBytes = 0
  #lost = 0
  #isBroken = false
  #triedAt = Number.NEGATIVE_INFINITY
  #isClosed = false

  constructor(options: WriterOptions) {
    this.#options = options
    this.#dictionary = new Dictionary(options.clean)
    closeAtExit(this)
  }

  /** The segment that is being written. */
  get segment(): string | undefined {
    return this.#segment?.name
  }

  readonly listener = (record: CallRecord, call: Call, outcome: Outcome): void => {
    // Kept where it came in.
    if (this.#isClosed || record.handedOver) return
    if (this.#held === mostHeld) this.#send()
    if (this.#held === mostHeld) {
      this.#lost += 1
      return
    }
    this.#put(record, call, outcome)
    this.#timer ??= this.#options.clock.after(flushMs, this.#onTime)
  }

  readonly #onTime = (): void => {
    this.#timer = undefined
    this.#send()
  }

  #put(record: CallRecord, call: Call, outcome: Outcome): void {
    const { wides, fractions, wholes } = this.#views
    const words = this.#dictionary
    const w = this.#held * wide.perRecord
    const n = this.#held * narrow.perRecord
    // In the order of the file also where the clock was put back: readers stop at the first that is too old.
    this.#lastAt = Math.max(Math.floor(record.at), this.#lastAt)
    wides[w + wide.at] = this.#lastAt
    wides[w + wide.cost] = record.cost ?? Number.NaN
    fractions[n + narrow.latencyMs] = record.latencyMs
    fractions[n + narrow.waitingMs] = record.waitingMs ?? 0
    fractions[n + narrow.sourceMs] = record.sourceMs ?? 0
    wholes[n + narrow.target] = words.targetOf(record)
    wholes[n + narrow.from] = words.fromOf(call.caller, call)
    wholes[n + narrow.end] = outcome.ok ? 0 : words.endOf(outcome.error.code, outcome.error.message)
    wholes[n + narrow.extra] = words.extraOf(record)
    wholes[n + narrow.step] = record.step ?? 0
    wholes[n + narrow.argumentBytes] = argumentBytes(call)
    wholes[n + narrow.resultBytes] = resultBytes(outcome)
    wholes[n + narrow.values] = this.#keepValues(record, call, outcome)
    wholes[n + narrow.flags] =
      Math.min(record.attempts, mostAttempts) |
      (record.cached ? flagged.cached : 0) |
      (outcome.ok && isErrorAnswer(outcome.answer) ? flagged.saysError : 0)
    this.#held += 1
  }

  #keepValues({ kind }: CallRecord, call: Call, outcome: Outcome): number {
    const bounds = this.#options.valuesFor(call.caller.profile ?? 'default')
    if (!bounds || this.#valueBytes >= mostValueBytes) return 0
    const entry = valuesEntry(valuesOf(call, kind, outcome, bounds, this.#options.clean))
    const at = this.#valueBytes
    this.#heldValues.push(entry)
    this.#valueBytes += entry.length
    return at + 1
  }

  /** Resolves when what was kept so far is on the disk, or cannot be. */
  async flush(): Promise<void> {
    this.#timer?.()
    this.#timer = undefined
    this.#send()
    await this.#writing
  }

  async close(): Promise<void> {
    await this.flush()
    this.#isClosed = true
    leaveToItself(this)
    this.#endSegment()
    await this.#writing
    this.#lost += this.#held
    this.#tellLost()
  }

  /** For the end of the process. What is on its way may not arrive, so the rest goes where nothing can stand before it. */
  closeNow(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#held === 0) return
    try {
      if (this.#waitingBytes > 0) this.#segment = undefined
      const { segment, block, said } = this.#taken()
      segment.writeNow(block, said)
    } catch (error) {
      this.#tellTrouble(error)
    }
  }

  /** What is held leaves as one block; the disk is asked once the block before has arrived. */
  #send(): void {
    if (this.#held === 0) return
    const now = this.#options.clock.now()
    if (this.#waitingBytes > mostWaitingBytes || (this.#isBroken && now - this.#triedAt < retryMs)) return
    this.#triedAt = now
    let taken: Taken
    try {
      taken = this.#taken()
    } catch (error) {
      this.#tellTrouble(error)
      return
    }
    const { segment, block, said, count } = taken
    const bytes = block.length + said.length
    this.#waitingBytes += bytes
    const work = async (): Promise<void> => {
      try {
        await segment.write(block, said)
        this.#isBroken = false
        this.#tellLost()
        this.#options.on.written()
      } catch (error) {
        this.#lost += count
        this.#tellTrouble(error)
        if (this.#segment === segment) this.#endSegment()
      } finally {
        this.#waitingBytes -= bytes
      }
    }
    this.#writing = this.#writing.then(work)
    if (this.#isDone()) this.#turn()
  }

  /** What is held, as a block of a segment that is open; from here on nothing is held. */
  #taken(): Taken {
    // In another one, what is to come needs a dictionary that is whole.
    if (this.#segment?.isGone) this.#endSegment()
    const segment = (this.#segment ??= this.#beginSegment())
    const records = this.#bytes.subarray(0, this.#held * recordBytes)
    const block = blockOf(this.#dictionary.linesFrom(this.#told), records)
    const said = Buffer.concat(this.#heldValues)
    const count = this.#held
    this.#told = this.#dictionary.size
    this.#segmentSize += block.length
    this.#held = 0
    this.#heldValues = []
    return { segment, block, said, count }
  }

  #beginSegment(): OpenSegment {
    const segment = new OpenSegment(this.#options.folder, this.#options.clock.wall())
    this.#told = 0
    this.#segmentSize = 0
    this.#shiftValues()
    return segment
  }

  /** Places in a values file of before are none in a new one. */
  #shiftValues(): void {
    const held = this.#heldValues.reduce((sum, { length }) => sum + length, 0)
    const by = this.#valueBytes - held
    this.#valueBytes = held
    if (by === 0) return
    const { wholes } = this.#views
    for (let index = 0; index < this.#held; index++) {
      const at = index * narrow.perRecord + narrow.values
      if (wholes[at]! > 0) wholes[at]! -= by
    }
  }

  #isDone(): boolean {
    const segment = this.#segment
    if (!segment) return false
    const now = this.#options.clock.wall()
    return (
      this.#segmentSize >= this.#options.segmentBytes() ||
      this.#valueBytes >= mostValueBytes ||
      this.#dictionary.isFull ||
      now - segment.beganAt >= dayMs ||
      now < this.#lastAt - backMs
    )
  }

  #turn(): void {
    this.#endSegment()
    this.#dictionary = new Dictionary(this.#options.clean)
    this.#lastAt = 0
    this.#writing = this.#writing.then(this.#options.on.turned)
  }

  /** Closed behind what is on its way to it. */
  #endSegment(): void {
    const segment = this.#segment
    this.#segment = undefined
    if (!segment) return
    this.#writing = this.#writing.then(() => segment.close())
  }

  #tellTrouble(error: unknown): void {
    if (!this.#isBroken) this.#options.on.trouble(messageOf(error))
    this.#isBroken = true
  }

  #tellLost(): void {
    if (this.#lost > 0) this.#options.on.lost(this.#lost)
    this.#lost = 0
  }
}

/** Of the message that carried them, where one did. Counting small ones costs less than a look at the clock. */
const argumentBytes = ({ args, bytes }: Call): number => (args === undefined ? 0 : (bytes ?? jsonBytes(args)))

const resultBytes = (outcome: Outcome): number => {
  if (!outcome.ok) return unknownBytes
  const { answer } = outcome
  return answer.bytes ?? jsonBytes(answer.type === 'value' ? answer.value : answer.result)
}
