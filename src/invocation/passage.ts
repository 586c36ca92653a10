import type { ShownTool } from '../catalog/override.js'
import type { GatewayError } from '../errors.js'
import type { Call, CallLink, Progress, RequestKind, ScriptMark, Target } from '../model/call.js'
import { Cancel, type CancelSignal, toAbortSignal } from '../model/cancel.js'
import type { Outcome } from '../model/outcome.js'
import type { Answer } from '../model/result.js'
import type { Gate } from '../model/shares.js'
import { Timed } from '../model/timer-wheel.js'
import type { Tool } from '../model/tool.js'
import type { Decision } from '../policy/policy.js'
import type { SecretsRule } from '../secrets/mask.js'
import type { SourceCall } from '../sources/source.js'
import type { CallSecrets } from '../telemetry/calls.js'
import type { CallTimes } from './call-times.js'
import type { CallerLine } from './steps/quota.js'

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

/** What carries all passages of a gateway. */
export interface PassageHost {
  now(): number
  /** Ends a call that waits, before its source has answered. What comes later is dropped. */
  giveUp(passage: Passage, error: GatewayError): void
}

/** Told while a call waits: its time is up, or its caller has left. */
export interface PassageGuard {
  timeIsUp(passage: Passage): void
  callerLeft(passage: Passage): void
}

/**
 * One call on its way through the steps. The only mutable thing on the path, owned by its call: passing a fresh copy
 * from step to step cost more than the steps themselves. What a step remembers of a call is a field here, and so are its
 * place in the timer wheel and its ear for the caller's cancel: a call makes no closures for them.
 */
export class Passage extends Timed implements SourceCall {
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
  /** Where an operator shows the tool otherwise than its source: as this caller sees it. The target is the source's own. */
  shown: ShownTool | undefined = undefined
  /** `preset`: what was added to the arguments; its secrets are in `shown.applied.secrets`. */
  added: readonly string[] | undefined = undefined
  /** `hooks`: what a plugin answers in the place of the source, once everybody has let the call through. */
  ownAnswer: Answer | undefined = undefined
  /** `hooks`: the tool that was called, where a plugin sent the call to another. */
  routedFrom: string | undefined = undefined
  /** `kept`: the question to which an answer may be kept. */
  keepAs: string | undefined = undefined
  attempts = 0
  cached = false
  /** What the policy said of it when `resolve` found it. */
  decision: Decision = undecided
  /** When each step was entered, while somebody watches. */
  marks: StepMark[] | undefined = undefined

  /** While somebody keeps times. */
  times: CallTimes | undefined = undefined

  /** How many steps it has entered and not left. */
  depth = 0
  /** The steps that guard the wait for a source were told of it. */
  waits = false
  /** How its caller, who has a promise, is answered. */
  settle: ((outcome: Outcome) => void) | undefined = undefined

  /** `quota`: whose count of running calls this one is in. */
  quotaKey: string | undefined = undefined
  /** `quota`: where it has one of its caller's places. */
  line: CallerLine | undefined = undefined
  /** `admit`: where it has its tool's place, and one of the gateway's. */
  gate: Gate | undefined = undefined
  /** `breaker`: the number under which it was let through. */
  began = 0
  /** `deadline`: when its time began, how long it is, what the tool would have given it, and what was added for pauses. */
  askedAt = 0
  timeoutMs = 0
  ownMs = 0
  givenMs = 0
  guard: PassageGuard | undefined = undefined
  /** `secrets`: what holds for its caller, and what was found. */
  secretsRule: SecretsRule | undefined = undefined
  secrets: CallSecrets | undefined = undefined

  /** `rules`: which of them had something to say. */
  rule: string | undefined = undefined
  /** `rules`: the yes that this call has spent. */
  grant: string | undefined = undefined
  /** The script that it runs, from when that begins. */
  script: ScriptMark | undefined = undefined

  #target: Target | undefined = undefined
  #cancel: Cancel | undefined = undefined
  #signal: AbortSignal | undefined = undefined
  #abortReason: GatewayError | undefined = undefined
  #ended = false
  // The time in which the caller was asked something: `deadline` gives it back.
  #pausedAt: number | undefined = undefined
  #pauses = 0
  #pausedMs = 0
  readonly #host: PassageHost

  constructor(call: Call, sync: boolean, host: PassageHost) {
    super()
    this.call = call
    this.kind = call.kind ?? 'tool'
    this.sync = sync
    this.#host = host
    this.startedAt = host.now()
    this.args = call.args === undefined ? {} : call.args
    this.parent = call.parent
  }

  /** What `resolve` found. Steps after it may rely on it. */
  get target(): Target {
    if (!this.#target) throw new Error('A step read what is asked for before `resolve` found it.')
    return this.#target
  }

  set target(target: Target) {
    const { upstream } = target as Partial<ShownTool>
    this.#target = upstream ?? target
    this.shown = upstream && (target as ShownTool)
  }

  /** The same where it is a tool: `resolve` finds tools for calls of that kind alone. */
  get tool(): Tool {
    return this.target as Tool
  }

  /** A script: see `ToolTraits.callsOthers`. */
  get callsOthers(): boolean {
    return this.kind === 'tool' && this.tool.callsOthers === true
  }

  get source(): string | undefined {
    return this.#target?.source
  }

  get found(): Target | undefined {
    return this.#target
  }

  /** From here on this is the call of another tool, which the tool of this one stands for. */
  goOnAs(target: Target, decision: Decision, args: unknown): void {
    this.carrier = { target: this.target, args }
    this.parent = this.link
    this.target = target
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

  noteScript(script: ScriptMark): void {
    this.script = script
    this.call.onScript?.(script)
  }

  pause(): () => void {
    if (this.#pauses++ === 0) this.#pausedAt = this.#host.now()
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
    return this.#pausedMs + (this.#pausedAt === undefined ? 0 : this.#host.now() - this.#pausedAt)
  }

  /** Ends the call before its source has answered. */
  giveUp(error: GatewayError): void {
    this.#host.giveUp(this, error)
  }

  end(): void {
    this.#ended = true
  }

  get ended(): boolean {
    return this.#ended
  }

  /** The wheel's word. */
  timeIsUp(): void {
    this.guard?.timeIsUp(this)
  }

  /** The caller's cancel, which this listens to while it waits. */
  handleEvent(): void {
    this.guard?.callerLeft(this)
  }
}

/** An answer that needs nobody to be asked. */
export class Known {
  constructor(readonly answer: Answer) {}
}

/** An answer at once, or later. Steps keep what is synchronous synchronous: `callSync` depends on it, and so does speed. */
export type Eventually<T> = T | Promise<T>

/**
 * Middleware: one stage of a call, in and out. Made once per gateway, of functions and not of methods; what it remembers of
 * a call it keeps in the passage. A step that was entered is left once, by `leave` or by `fail`, after those inward of it.
 */
export interface Step {
  /**
   * Throws to refuse the call. Answers with a promise only where the call has to wait: for a place, not for a lookup; or with
   * an answer that is known, and nothing inward of it is asked.
   */
  readonly enter?: ((passage: Passage) => Promise<void> | Known | void) | undefined
  /** The source's answer is not there yet: called once, before the call begins to wait for it. */
  readonly wait?: ((passage: Passage) => void) | undefined
  /** An answer on its way out: the same, or another in its place. Throws where it may not go out. */
  readonly leave?: ((passage: Passage, answer: Answer) => Answer) | undefined
  /** It failed further in; what is thrown here goes out in the place of that. */
  readonly fail?: ((passage: Passage, error: unknown) => void) | undefined
  /** It failed further in: a promise where everything inward of this step is to be tried again when it resolves. */
  readonly again?: ((passage: Passage, error: unknown) => Promise<void> | undefined) | undefined
}

export const isPromise = <T>(value: Eventually<T>): value is Promise<T> =>
  typeof (value as Promise<T> | undefined)?.then === 'function'
