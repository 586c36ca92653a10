import type { GatewayError } from '../errors.js'
import type { Call, CallLink, Progress, RequestKind, Target } from '../model/call.js'
import { Cancel, type CancelSignal, toAbortSignal } from '../model/cancel.js'
import type { Answer } from '../model/result.js'
import type { Tool } from '../model/tool.js'
import type { Decision } from '../policy/policy.js'
import type { SourceCall } from '../sources/source.js'

const undecided: Decision = Object.freeze({ allowed: false, seen: false, reason: 'nobody has decided yet' })

/** What stood for the tool that is called now (`call_tool`), and the arguments it gave to it. */
export interface Carrier {
  readonly target: Target
  readonly args: unknown
}

export interface StepMark {
  readonly name: string
  readonly at: number
}

/**
 * One call on its way through the steps. The only mutable thing on the path, owned by its call: passing a fresh copy
 * from step to step cost more than the steps themselves.
 */
export class Passage implements SourceCall {
  /** Replaced where a source must be told of its own place in a trace. */
  call: Call
  readonly kind: RequestKind
  readonly sync: boolean
  readonly startedAt: number
  args: unknown
  /** The call during which this one was made. */
  parent: CallLink | undefined
  /** Of a call that another carried: that other. */
  carrier: Carrier | undefined = undefined
  attempts = 0
  cached = false
  /** What the policy said of it when `resolve` found it. */
  decision: Decision = undecided
  /** When each step was entered, while somebody watches. */
  marks: StepMark[] | undefined = undefined
  #target: Target | undefined
  #cancel: Cancel | undefined
  #signal: AbortSignal | undefined
  #abortReason: GatewayError | undefined

  readonly #now: () => number

  constructor(call: Call, sync: boolean, now: () => number) {
    this.call = call
    this.kind = call.kind ?? 'tool'
    this.sync = sync
    this.#now = now
    this.startedAt = now()
    this.args = call.args === undefined ? {} : call.args
    this.parent = call.parent
  }

  /** What `resolve` found. Steps after it may rely on it. */
  get target(): Target {
    if (!this.#target) throw new Error('A step read what is asked for before `resolve` found it.')
    return this.#target
  }

  set target(target: Target) {
    this.#target = target
  }

  /** The same where it is a tool: `resolve` finds tools for calls of that kind alone. */
  get tool(): Tool {
    return this.target as Tool
  }

  get found(): Target | undefined {
    return this.#target
  }

  /** From here on this is the call of another tool, which the tool of this one stands for. */
  goOnAs(target: Target, decision: Decision, args: unknown): void {
    this.carrier = { target: this.target, args }
    this.parent = this.link
    this.#target = target
    this.decision = decision
    this.args = args
  }

  // Made on first read: an AbortSignal costs more than validating a small call, and few functions look at it.
  get signal(): AbortSignal {
    return (this.#signal ??= toAbortSignal(this.cancel))
  }

  get cancel(): CancelSignal {
    if (!this.#cancel) {
      this.#cancel = new Cancel()
      if (this.#abortReason) this.#cancel.abort(this.#abortReason)
    }
    return this.#cancel
  }

  /** Ends the call for everybody inward of `deadline`: the one signal that sources hear. */
  abort(reason: GatewayError): void {
    this.#abortReason ??= reason
    this.#cancel?.abort(reason)
  }

  get abortReason(): GatewayError | undefined {
    return this.#abortReason
  }

  get link(): CallLink {
    const { parent } = this
    const depth = (parent?.depth ?? 0) + 1
    return { tool: this.target.id, args: this.args, depth, parent }
  }

  reportProgress(progress: Progress): void {
    // After the end nobody may hear of it: the protocol forbids progress past completion.
    if (!this.#abortReason && !this.#ended) this.call.onProgress?.(progress)
  }

  // The time in which the caller was asked something: `deadline` gives it back.
  #pausedAt: number | undefined
  #pauses = 0
  #pausedMs = 0

  pause(): () => void {
    if (this.#pauses++ === 0) this.#pausedAt = this.#now()
    let over = false
    return () => {
      if (over) return
      over = true
      if (--this.#pauses > 0) return
      this.#pausedMs = this.pausedMs
      this.#pausedAt = undefined
    }
  }

  /** How long the caller, not the tool, has kept this call waiting. */
  get pausedMs(): number {
    return this.#pausedMs + (this.#pausedAt === undefined ? 0 : this.#now() - this.#pausedAt)
  }

  #ended = false
  end(): void {
    this.#ended = true
  }
}

/** An answer at once, or later. Steps keep what is synchronous synchronous: `callSync` depends on it, and so does speed. */
export type Eventually<T> = T | Promise<T>

export type Run = (passage: Passage) => Eventually<Answer>

/** Middleware: one stage of a call, wrapped around the stages after it. Composed once, not per call. */
export type Step = (next: Run) => Run

/** Outermost step first. */
export const compose = (steps: readonly Step[], last: Run): Run => steps.reduceRight((next, step) => step(next), last)

export const isPromise = <T>(value: Eventually<T>): value is Promise<T> =>
  typeof (value as Promise<T> | undefined)?.then === 'function'
