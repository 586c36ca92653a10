/** Told of an abort: a function, or as with any EventTarget an object, so that what lives as long as its request makes none. */
export type CancelListener = (() => void) | { handleEvent(): void }

/** What the call path needs of an AbortSignal, which is one of these. */
export interface CancelSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: CancelListener, options?: { readonly once: boolean }): void
  removeEventListener(type: 'abort', listener: CancelListener): void
}

/** For `addEventListener`, which would otherwise be given a new one per request. */
export const once = Object.freeze({ once: true })

/**
 * A signal and its switch in one. An AbortSignal of Node's costs as much as validating and routing a call together, and
 * is promoted to V8's old generation each time (measured: 0.9 MB per scavenge at 64 in flight); one is made only for those who
 * need the real thing, by `toAbortSignal`.
 */
export class Cancel implements CancelSignal {
  #aborted = false
  #reason: unknown = undefined
  // Nearly always there is one.
  #first: CancelListener | undefined = undefined
  #others: CancelListener[] | undefined = undefined

  get aborted(): boolean {
    return this.#aborted
  }

  get reason(): unknown {
    return this.#reason
  }

  /** Each listener is told once in any case: a call is cancelled once. */
  addEventListener(_type: 'abort', listener: CancelListener): void {
    if (!this.#first) this.#first = listener
    else if (this.#others) this.#others.push(listener)
    else this.#others = [listener]
  }

  removeEventListener(_type: 'abort', listener: CancelListener): void {
    if (this.#first === listener) {
      this.#first = this.#others?.shift()
      return
    }
    const at = this.#others?.indexOf(listener) ?? -1
    if (at >= 0) this.#others?.splice(at, 1)
  }

  abort(reason: unknown): void {
    if (this.#aborted) return
    this.#aborted = true
    this.#reason = reason
    const first = this.#first
    const others = this.#others ?? []
    this.#first = this.#others = undefined
    if (first) tell(first)
    for (const listener of others) tell(listener)
  }
}

const tell = (listener: CancelListener): void => {
  if (typeof listener === 'function') listener()
  else listener.handleEvent()
}

const aborted = (reason: unknown): CancelSignal => {
  const cancel = new Cancel()
  cancel.abort(reason)
  return cancel
}

/** Of somebody who was never there. */
export const goneAlready: CancelSignal = aborted(new Error('Nobody is there.'))

/** Aborts with whichever of the two does. It keeps nothing: who listens to it listens to both, and leaves both. */
class Either implements CancelSignal {
  constructor(
    readonly one: CancelSignal,
    readonly other: CancelSignal,
  ) {}

  get aborted(): boolean {
    return this.one.aborted || this.other.aborted
  }

  get reason(): unknown {
    return this.one.aborted ? this.one.reason : this.other.reason
  }

  addEventListener(type: 'abort', listener: CancelListener): void {
    this.one.addEventListener(type, listener, once)
    this.other.addEventListener(type, listener, once)
  }

  removeEventListener(type: 'abort', listener: CancelListener): void {
    this.one.removeEventListener(type, listener)
    this.other.removeEventListener(type, listener)
  }
}

/** A listener that stays may be told twice. */
export const eitherOf = (one: CancelSignal, other: CancelSignal | undefined): CancelSignal =>
  other ? new Either(one, other) : one

/** The same as an AbortSignal, for `fetch`, `AbortSignal.any` and people's own functions. */
export const toAbortSignal = (signal: CancelSignal): AbortSignal => {
  if (signal instanceof AbortSignal) return signal
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return controller.signal
}

/** A promise that others wait for too, awaited by one who may leave earlier: then it rejects with the signal's reason. */
export const until = <T>(
  promise: Promise<T>,
  signal: CancelSignal | undefined,
  toError: (reason: unknown) => unknown = (reason) => reason,
): Promise<T> => {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(toError(signal.reason))
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
