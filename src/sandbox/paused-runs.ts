import { GatewayError } from '../errors.js'
import type { ScriptMark } from '../model/call.js'
import type { Caller } from '../model/caller.js'
import type { Clock } from '../model/clock.js'
import type { JournalEntry } from './journal.js'

/** All by which a script comes to the same calls each time. */
export interface RunBeginning {
  readonly id: string
  readonly mark: ScriptMark
  readonly script: string
  /** JSON. */
  readonly input: string
  readonly seed: number
  readonly now: number
  readonly timeoutMs: number | undefined
  /** What it is found by instead of its id: see `ScriptOrder.again`. */
  readonly again?: string | undefined
}

/** A script that waits for a person, and all that is needed to go on with it. */
export interface PausedRun extends RunBeginning {
  readonly journal: readonly JournalEntry[]
  readonly bytes: number
  /** What it waits for, as its callers are told. */
  readonly approvals: readonly Readonly<Record<string, unknown>>[]
}

export const mostPausedPerCaller = 16
export const mostPaused = 128
export const mostPausedBytes = 1024 ** 2
export const pausedForMs = 3_600_000

interface Kept {
  readonly run: PausedRun
  readonly whose: string
  readonly until: number
}

/** Scripts that are paused, each for its caller alone: nobody else learns that there is one. */
export class PausedRuns {
  readonly #clock: Clock
  readonly #kept = new Map<string, Kept>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Throws where there are too many, or it is too large: then the script has ended, and what it did stays done. */
  keep(run: PausedRun, caller: Caller): void {
    this.#forget()
    const whose = whoseOf(caller)
    const own = [...this.#kept.values()].filter((each) => each.whose === whose).length
    if (run.bytes + run.script.length + run.input.length > mostPausedBytes)
      throw tooMuch(`what the script was answered is more than ${mostPausedBytes} bytes`)
    if (own >= mostPausedPerCaller) throw tooMuch(`${mostPausedPerCaller} scripts of yours are paused already`)
    if (this.#kept.size >= mostPaused) throw tooMuch(`${mostPaused} scripts are paused already`)
    this.#kept.set(run.id, { run, whose, until: this.#clock.now() + pausedForMs })
  }

  look(id: string, caller: Caller): PausedRun {
    this.#forget()
    const kept = this.#kept.get(id)
    if (kept?.whose === whoseOf(caller) && kept.run.again === undefined) return kept.run
    throw new GatewayError(
      'ARGUMENTS_INVALID',
      `No script of yours is paused as '${id}': it has gone on, or nobody answered within an hour. Run the script anew.`,
      { details: { run: id }, notSent: true },
    )
  }

  /** The same, and nobody else can go on with it. */
  take(id: string, caller: Caller): PausedRun {
    const run = this.look(id, caller)
    this.#kept.delete(id)
    return run
  }

  /** The one that was ordered in these words, if it is paused; nobody else can go on with it. */
  takeAgain(again: string, caller: Caller): PausedRun | undefined {
    this.#forget()
    const whose = whoseOf(caller)
    const found = [...this.#kept.values()].find((each) => each.run.again === again && each.whose === whose)?.run
    if (found) this.#kept.delete(found.id)
    return found
  }

  #forget(): void {
    const now = this.#clock.now()
    for (const [id, { until }] of this.#kept) if (until <= now) this.#kept.delete(id)
  }
}

const whoseOf = ({ id, identity, profile = '' }: Caller): string => JSON.stringify([identity?.id ?? id, profile])

const tooMuch = (why: string): GatewayError =>
  new GatewayError('OVERLOADED', `The script waits for a person and cannot be kept: ${why}.`, { retryAfterMs: 60_000 })
