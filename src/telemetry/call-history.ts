import type { ErrorCode } from '../errors.js'
import type { RequestKind } from '../model/call.js'
import { defined } from '../model/json.js'
import type { Outcome } from '../model/outcome.js'
import type { CallRecord, CallScript, CallSecrets, StepTime } from './calls.js'

/** A call that ended, numbered from 1 as they did. */
export interface PastCall {
  readonly n: number
  readonly record: CallRecord
  /** Of one that failed, with whatever secrets are in it. */
  readonly message: string | undefined
}

const longestName = 512
const longestMessage = 1000

const failed = 1
const cached = 2

/**
 * The last calls, for dashboards and for whoever asks what just happened; forgotten with the process. Kept in columns that
 * are written over: a record of each, held while two thousand others come, survived the collections of new objects and
 * was copied twice before it was thrown away. Records are made again for whoever reads.
 */
export class CallHistory {
  readonly #most: number
  #last = 0
  readonly #at: Float64Array
  readonly #latencyMs: Float64Array
  /** NaN where the answer told none. */
  readonly #cost: Float64Array
  readonly #attempts: Uint32Array
  readonly #flags: Uint8Array
  readonly #kind: RequestKind[] = []
  readonly #tool: string[] = []
  readonly #source: (string | undefined)[] = []
  readonly #caller: string[] = []
  readonly #code: (ErrorCode | undefined)[] = []
  readonly #message: (string | undefined)[] = []
  readonly #steps: (readonly StepTime[] | undefined)[] = []
  readonly #secrets: (CallSecrets | undefined)[] = []
  readonly #rule: (string | undefined)[] = []
  readonly #grant: (string | undefined)[] = []
  readonly #run: (string | undefined)[] = []
  /** 0 where no script made it. */
  readonly #step: Uint32Array
  readonly #script: (CallScript | undefined)[] = []

  /** How many are remembered; of none, the number of the last is all that is known. */
  constructor(most = 2000) {
    this.#most = most
    this.#at = new Float64Array(most)
    this.#latencyMs = new Float64Array(most)
    this.#cost = new Float64Array(most)
    this.#attempts = new Uint32Array(most)
    this.#flags = new Uint8Array(most)
    this.#step = new Uint32Array(most)
  }

  /** The number of the newest; 0 while there is none. */
  get last(): number {
    return this.#last
  }

  /** A `CallListener`. */
  readonly listener = (record: CallRecord, _call: unknown, outcome: Outcome): void => {
    this.#last += 1
    if (this.#most === 0) return
    const at = (this.#last - 1) % this.#most
    this.#at[at] = record.at
    this.#latencyMs[at] = record.latencyMs
    this.#cost[at] = record.cost ?? Number.NaN
    this.#attempts[at] = record.attempts
    this.#flags[at] = (record.ok ? 0 : failed) | (record.cached ? cached : 0)
    this.#kind[at] = record.kind
    this.#tool[at] = record.tool.length > longestName ? record.tool.slice(0, longestName) : record.tool
    this.#source[at] = record.source
    this.#caller[at] = record.caller
    this.#code[at] = record.code
    this.#message[at] = outcome.ok ? undefined : outcome.error.message.slice(0, longestMessage)
    this.#steps[at] = record.steps
    this.#secrets[at] = record.secrets
    this.#rule[at] = record.rule
    this.#grant[at] = record.grant
    this.#run[at] = record.run
    this.#step[at] = record.step ?? 0
    this.#script[at] = record.script
  }

  /** Undefined where it is forgotten, or to come. */
  get(n: number): PastCall | undefined {
    if (n < 1 || n > this.#last || n <= this.#last - this.#most) return undefined
    const at = (n - 1) % this.#most
    const cost = this.#cost[at]!
    const record: CallRecord = {
      kind: this.#kind[at]!,
      tool: this.#tool[at]!,
      source: this.#source[at],
      caller: this.#caller[at]!,
      ok: (this.#flags[at]! & failed) === 0,
      code: this.#code[at],
      latencyMs: this.#latencyMs[at]!,
      attempts: this.#attempts[at]!,
      cached: (this.#flags[at]! & cached) !== 0,
      at: this.#at[at]!,
      ...defined({
        cost: Number.isNaN(cost) ? undefined : cost,
        steps: this.#steps[at],
        secrets: this.#secrets[at],
        rule: this.#rule[at],
        grant: this.#grant[at],
        run: this.#run[at],
        step: this.#step[at] || undefined,
        script: this.#script[at],
      }),
    }
    return { n, record, message: this.#message[at] }
  }

  /** Newest first, at most `limit`. */
  list(limit: number, isWanted: (record: CallRecord) => boolean = () => true): readonly PastCall[] {
    const found: PastCall[] = []
    for (let n = this.#last; found.length < limit; n--) {
      const past = this.get(n)
      if (!past) break
      if (isWanted(past.record)) found.push(past)
    }
    return found
  }

  /** What came after a number, oldest first, at most the newest `limit`, and how many more there were. */
  after(n: number, limit: number): { readonly calls: readonly PastCall[]; readonly missed: number } {
    const fresh = Math.max(0, this.#last - n)
    const calls = [...this.list(Math.min(fresh, limit))].reverse()
    return { calls, missed: fresh - calls.length }
  }
}
