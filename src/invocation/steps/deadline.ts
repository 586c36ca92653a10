import { GatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import type { Answer } from '../../model/result.js'
import type { CallSettings } from '../order.js'
import { isPromise, type Passage, type Step } from '../passage.js'

/** Of a call whose tool names no time, where nobody set another. */
const defaultTimeoutMs = 30_000

/** One AbortSignal from here inward: time is up, or the caller left. What answers later is dropped. */
export const deadline =
  (settings: () => CallSettings, clock: Clock): Step =>
  (next) =>
  (passage) => {
    const { signal } = passage.call
    if (signal?.aborted) throw cancelled(passage)
    const ownMs = passage.target.timeoutMs ?? settings().timeoutMs ?? defaultTimeoutMs
    const timeoutMs = passage.call.timeoutMs ?? ownMs
    const startedAt = clock.now()
    const answer = next(passage)
    if (isPromise(answer)) return raced(answer, passage, clock, timeoutMs - (clock.now() - startedAt), timeoutMs, ownMs)
    // Nothing can interrupt a synchronous function, but its late answer is as late as any other.
    if (clock.now() - startedAt > timeoutMs) throw expired(passage, timeoutMs, ownMs)
    return answer
  }

const raced = (
  answer: Promise<Answer>,
  passage: Passage,
  clock: Clock,
  leftMs: number,
  timeoutMs: number,
  ownMs: number,
) =>
  new Promise<Answer>((resolve, reject) => {
    const race = new Race(passage, clock, timeoutMs, ownMs, reject)
    race.arm(Math.max(0, leftMs))
    answer.then(
      (value) => {
        race.settle()
        resolve(value)
      },
      (error) => {
        race.settle()
        reject(error)
      },
    )
  })

/** A call against its time and its caller's patience. A class: one is made per call. */
class Race {
  readonly #passage: Passage
  readonly #clock: Clock
  readonly #timeoutMs: number
  readonly #ownMs: number
  readonly #reject: (error: GatewayError) => void
  readonly #onAbort: (() => void) | undefined
  #givenMs = 0
  #cancelTimer = (): void => {}

  constructor(passage: Passage, clock: Clock, timeoutMs: number, ownMs: number, reject: (error: GatewayError) => void) {
    this.#passage = passage
    this.#clock = clock
    this.#timeoutMs = timeoutMs
    this.#ownMs = ownMs
    this.#reject = reject
    const { signal } = passage.call
    if (!signal) return
    this.#onAbort = () => this.#giveUp(cancelled(passage))
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  arm(ms: number): void {
    this.#cancelTimer = this.#clock.after(ms, () => this.#timeIsUp(), true)
  }

  settle(): void {
    this.#cancelTimer()
    if (this.#onAbort) this.#passage.call.signal?.removeEventListener('abort', this.#onAbort)
  }

  // While the caller is asked, the call's time stands still; what that took is given back when the time is up.
  #timeIsUp(): void {
    const owedMs = this.#passage.pausedMs - this.#givenMs
    if (owedMs <= 0) return this.#giveUp(expired(this.#passage, this.#timeoutMs, this.#ownMs))
    this.#givenMs += owedMs
    this.arm(owedMs)
  }

  #giveUp(error: GatewayError): void {
    this.settle()
    this.#passage.abort(error)
    this.#reject(error)
  }
}

/** Whose time it was decides whose failure it is: a caller in a hurry says nothing about the tool. */
const expired = ({ target }: Passage, timeoutMs: number, ownMs: number): GatewayError =>
  new GatewayError(
    'DEADLINE_EXCEEDED',
    `'${target.id}' did not answer within ${timeoutMs} ms. It may still have run; raise timeoutMs if it needs longer.`,
    { details: { tool: target.id, timeoutMs, givenBy: timeoutMs < ownMs ? 'caller' : 'tool' } },
  )

const cancelled = ({ target }: Passage): GatewayError =>
  new GatewayError('CALL_CANCELLED', `The call of '${target.id}' was cancelled by its caller.`, {
    details: { tool: target.id },
  })
