import { GatewayError } from '../errors.js'
import type { RunId } from '../model/call.js'
import { Cancel, type CancelSignal } from '../model/cancel.js'
import { guestError, limitError, type MadeCall, scriptError } from './ending.js'
import { Journal, type JournalEntry } from './journal.js'
import type { ScriptLimits } from './limits.js'
import type { FromScriptThread, GuestEnd, ScriptAnswer, ScriptCall } from './protocol.js'
import type { Thread, ThreadUser } from './thread.js'

/** A call that waits for a person: the script is not answered, and when nothing else is left to do it pauses. */
export interface HeldCall {
  readonly held: Readonly<Record<string, unknown>>
}

export interface ScriptRequest {
  readonly id?: RunId | undefined
  /** The script that called it and waits for it: it runs in the place of that one. */
  readonly within?: RunId | undefined
  /** The body of an async function. */
  readonly script: string
  /** JSON. */
  readonly input: string
  readonly limits: ScriptLimits
  /** Of `Math.random`, and what the script's clock says: with both the same, a script does the same again. */
  readonly seed: number
  readonly now: number
  /** What it was answered before it paused. */
  readonly journal?: readonly JournalEntry[] | undefined
  readonly signal?: CancelSignal | undefined
  /** Never throws: a call that fails is an answer. */
  readonly onCall: (call: ScriptCall, signal: CancelSignal) => Promise<ScriptAnswer | HeldCall>
}

export interface ScriptUse {
  readonly calls: readonly MadeCall[]
  readonly logs: readonly string[]
  readonly logsDropped: number
  readonly cpuMs: number
  readonly ms: number
}

type Settled =
  | { readonly state: 'done'; readonly json: string }
  | { readonly state: 'failed'; readonly error: GatewayError }

interface Paused {
  readonly state: 'paused'
  readonly journal: readonly JournalEntry[]
  readonly journalBytes: number
  readonly held: readonly (HeldCall & { readonly call: ScriptCall })[]
}

/** How a script ended, what it did, and what it used. */
export type ScriptEnd = (Settled | Paused) & ScriptUse
/** Before the time it took is known. */
export type UntimedEnd = (Settled | Paused) & Omit<ScriptUse, 'ms'>

/** One script on a thread: its calls go out, at most so many at once, and their answers come back in an order that can be repeated. */
export class ScriptRun implements ThreadUser {
  readonly #request: ScriptRequest
  readonly #id: number
  readonly #settle: (end: UntimedEnd) => void
  readonly #journal: Journal
  readonly #cancel = new Cancel()
  readonly #made = new Map<number, ScriptCall & { ended?: string | undefined }>()
  readonly #waiting: ScriptCall[] = []
  readonly #held: (HeldCall & { readonly call: ScriptCall })[] = []
  /** New answers that come before the recorded ones are given. */
  readonly #early: JournalEntry[] = []
  #thread: Thread | undefined
  #running = 0
  #said = 0
  #isAtRest = false
  #answerBytes = 0
  #end: Settled | undefined
  #isOver = false
  #logs: readonly string[] = []
  #dropped = 0
  #cpuMs = 0

  constructor(request: ScriptRequest, id: number, settle: (end: UntimedEnd) => void) {
    this.#request = request
    this.#id = id
    this.#settle = settle
    this.#journal = new Journal(request.journal)
  }

  begin(thread: Thread): void {
    const { script, limits, input, seed, now } = this.#request
    this.#thread = thread
    thread.work(this, limits.cpuMs)
    thread.say({ type: 'run', id: this.#id, script, limits, input, seed, now })
  }

  hear(message: Exclude<FromScriptThread, { type: 'ready' }>): void {
    if (message.id !== this.#id || this.#isOver || this.#end) return
    this.#isAtRest = message.type === 'end' || message.answered === this.#said
    try {
      for (const call of message.calls) this.#take(call)
    } catch (error) {
      return this.#finish({ state: 'failed', error: error as GatewayError })
    }
    if (message.type === 'end') return this.#ended(message)
    this.#play()
    this.#pauseIfHeld()
  }

  lost(why: 'cpu' | 'memory' | 'start'): void {
    this.#thread = undefined
    const error =
      why === 'start'
        ? new GatewayError('INTERNAL', 'The sandbox for scripts could not start; call the tools one by one.')
        : limitError(why, this.#calls(), this.#request.limits)
    this.stop(error)
  }

  /** Ends it now, whatever it is doing: its calls are cancelled, and told as they are. */
  stop(error: GatewayError): void {
    if (!this.#isOver) this.#finish({ state: 'failed', error: this.#end?.state === 'failed' ? this.#end.error : error })
  }

  /** The same for want of time, or of somebody who waits. */
  stopFor(code: 'DEADLINE_EXCEEDED' | 'CALL_CANCELLED' | 'SOURCE_UNAVAILABLE', what: string): void {
    // Its time is its caller's: nothing is wrong with whom a script runs on.
    this.stop(scriptError(code, what, this.#calls(), { givenBy: 'caller' }))
  }

  #take(call: ScriptCall): void {
    this.#made.set(call.n, call)
    if (this.#journal.knows(call)) return
    this.#waiting.push(call)
    this.#next()
  }

  #next(): void {
    while (!this.#isOver && this.#running < this.#request.limits.parallel) {
      const call = this.#waiting.shift()
      if (!call) return
      this.#running++
      void this.#request.onCall(call, this.#cancel).then(
        (answer) => this.#answered(call, answer),
        () => this.#answered(call, { ok: false, code: 'INTERNAL', message: 'The call could not be made.' }),
      )
    }
  }

  #answered(call: ScriptCall, answer: ScriptAnswer | HeldCall): void {
    this.#running--
    if (this.#isOver) return
    if ('held' in answer) this.#held.push({ ...answer, call })
    else this.#early.push({ ...call, answer })
    this.#made.set(call.n, { ...call, ended: 'held' in answer ? 'APPROVAL_REQUIRED' : answer.ok ? 'ok' : answer.code })
    this.#next()
    if (this.#end) return this.#finishWhenQuiet()
    this.#play()
    this.#pauseIfHeld()
  }

  /** Recorded answers first, each when its call has been made; then the new ones as they came. */
  #play(): void {
    for (let entry = this.#journal.next(); entry; entry = this.#journal.next()) {
      this.#made.set(entry.n, { ...this.#made.get(entry.n)!, ended: entry.answer.ok ? 'ok' : entry.answer.code })
      this.#give(entry)
    }
    if (!this.#journal.isPlayed) return
    for (const entry of this.#early.splice(0)) {
      this.#journal.add(entry)
      this.#give(entry)
    }
  }

  #give({ n, answer }: JournalEntry): void {
    if (this.#isOver) return
    this.#answerBytes += answer.ok ? Buffer.byteLength(answer.json) : 0
    if (this.#answerBytes > this.#request.limits.answerBytes)
      return this.stop(limitError('answers', this.#calls(), this.#request.limits))
    this.#said++
    this.#isAtRest = false
    this.#thread?.say({ type: 'answer', id: this.#id, n, answer })
  }

  #pauseIfHeld(): void {
    const isStuck = this.#isAtRest && this.#running === 0 && this.#waiting.length === 0 && this.#journal.isPlayed
    if (!isStuck || this.#isOver || this.#held.length === 0) return
    this.#over()
    const { entries: journal, bytes: journalBytes } = this.#journal
    this.#settle({ state: 'paused', journal, journalBytes, held: this.#held, ...this.#use() })
  }

  #ended(message: Extract<FromScriptThread, { type: 'end' }>): void {
    this.#logs = message.logs
    this.#dropped = message.dropped
    this.#cpuMs = message.cpuMs
    const { end } = message
    const { limits, script } = this.#request
    if (end.kind === 'limit') {
      // Interrupted in the middle of something: this thread runs nothing any more.
      this.#isAtRest = false
      return this.#finish({ state: 'failed', error: guestError(end, this.#calls(), limits, script) })
    }
    this.#thread?.rest()
    this.#end = this.#told(end)
    this.#finishWhenQuiet(end)
  }

  #told(end: Exclude<GuestEnd, { kind: 'limit' }>): Settled {
    const { limits, script } = this.#request
    if (end.kind === 'value') return { state: 'done', json: end.json }
    return { state: 'failed', error: guestError(end, this.#calls(), limits, script) }
  }

  #lastEnd: Exclude<GuestEnd, { kind: 'limit' }> | undefined

  /** Calls that nobody awaited are waited for: what they did belongs to what is told. */
  #finishWhenQuiet(end = this.#lastEnd): void {
    this.#lastEnd = end
    if (this.#running > 0 || this.#waiting.length > 0 || !end) return
    this.#finish(this.#told(end))
  }

  #finish(end: Settled): void {
    this.#over()
    this.#cancel.abort(end.state === 'failed' ? end.error : undefined)
    this.#settle({ ...end, ...this.#use() })
  }

  #over(): void {
    this.#isOver = true
    const thread = this.#thread
    if (!thread || thread.isGone) return
    // A script that computes cannot be told anything; one at rest is dropped, and its thread stays.
    if (this.#isAtRest) {
      thread.say({ type: 'drop', id: this.#id })
      thread.rest()
    } else void thread.end()
  }

  #calls(): readonly MadeCall[] {
    return [...this.#made.values()].map(({ n, tool, ended }) => ({ n, tool, ended }))
  }

  #use(): Omit<ScriptUse, 'ms'> {
    return { calls: this.#calls(), logs: this.#logs, logsDropped: this.#dropped, cpuMs: this.#cpuMs }
  }
}
