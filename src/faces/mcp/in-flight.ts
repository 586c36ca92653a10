import type { RpcId } from '../../mcp/rpc-error.js'
import { Cancel, type CancelSignal } from '../../model/cancel.js'
import type { Share } from '../../model/shares.js'

/** A request that is being answered, and the switch that ends it. It knows its neighbours: a list that costs nobody a lookup. */
export class RunningRequest extends Cancel {
  readonly id: RpcId
  /** The sign-in that it came by, and with which it ends; undefined where its caller came by none. */
  readonly signIn: string | undefined
  previous: RunningRequest | undefined
  next: RunningRequest | undefined
  hasEnded = false
  /** Told when it has ended, where somebody keeps something for it until then. */
  onEnd: (() => void) | undefined = undefined

  constructor(id: RpcId, signIn: string | undefined) {
    super()
    this.id = id
    this.signIn = signIn
  }

  /** In a session leaving does not end a call: what it holds is its caller's still when the connection has given it back. */
  hold(gone: CancelSignal, share: Share, caller: string, bytes: number): void {
    const keep = (): void => {
      if (this.hasEnded) return
      share.add(caller, bytes)
      this.onEnd = () => share.give(caller, bytes)
    }
    gone.addEventListener('abort', keep, { once: true })
  }
}

/**
 * The requests of one client that are being answered, so that a notification can cancel one by its id. Only cancelling
 * looks for an id, which is rare: coming and going is what every call pays for, and an idle client holds nothing.
 */
export class RunningRequests {
  readonly #most: number
  #latest: RunningRequest | undefined
  #size = 0

  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#size
  }

  /** Undefined when too many run already. The id may be in use: some clients reuse theirs, and each gets its answer. */
  begin(id: RpcId, signIn?: string | undefined): RunningRequest | undefined {
    if (this.#size >= this.#most) return undefined
    this.#size += 1
    const request = new RunningRequest(id, signIn)
    request.next = this.#latest
    if (this.#latest) this.#latest.previous = request
    this.#latest = request
    return request
  }

  end(request: RunningRequest): void {
    if (request.hasEnded) return
    request.hasEnded = true
    this.#size -= 1
    const { previous, next } = request
    if (previous) previous.next = next
    else this.#latest = next
    if (next) next.previous = previous
    // Whoever still holds it must not hold the others by it.
    request.previous = undefined
    request.next = undefined
    request.onEnd?.()
  }

  /** All of this id: 1 and "1" are two. */
  cancel(id: unknown): boolean {
    const same = this.#all().filter((request) => request.id === id)
    for (const request of same) request.abort(cancelled())
    return same.length > 0
  }

  /** Those of a sign-in that is over: whoever it was of may have others, whose requests go on. */
  cancelSignIn(signIn: string): void {
    for (const request of this.#all()) if (request.signIn === signIn) request.abort(signedOut())
  }

  cancelAll(): void {
    for (const request of this.#all()) request.abort(cancelled())
  }

  /** The oldest first; a list of its own, since ending one while others are told takes it out. */
  #all(): readonly RunningRequest[] {
    const all: RunningRequest[] = []
    for (let request = this.#latest; request; request = request.next) all.push(request)
    return all.reverse()
  }
}

const cancelled = (): DOMException => new DOMException('The client cancelled the request.', 'AbortError')

const signedOut = (): DOMException => new DOMException('The sign-in by which it came is over.', 'AbortError')
