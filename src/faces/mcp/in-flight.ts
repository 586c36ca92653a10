import type { RpcId } from '../../mcp/rpc-error.js'
import { Cancel } from '../../model/cancel.js'

/** The requests of one client that are being answered, so that a notification can cancel one by its id. */
export class RunningRequests {
  // 1 and "1" are two ids, which a Map tells apart. A list only where an id is in use more than once.
  readonly #running = new Map<RpcId, Cancel | readonly Cancel[]>()
  readonly #most: number
  #size = 0

  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#size
  }

  /** Undefined when too many run already. The id may be in use: some clients reuse theirs, and each gets its answer. */
  begin(id: RpcId): Cancel | undefined {
    if (this.#size >= this.#most) return undefined
    this.#size += 1
    const request = new Cancel()
    const same = this.#running.get(id)
    this.#running.set(id, same === undefined ? request : [...listOf(same), request])
    return request
  }

  end(id: RpcId, request: Cancel): void {
    const same = this.#running.get(id)
    const left = same === request ? [] : listOf(same).filter((each) => each !== request)
    if (same !== request && left.length === listOf(same).length) return
    this.#size -= 1
    if (left.length === 0) this.#running.delete(id)
    else this.#running.set(id, left)
  }

  cancel(id: unknown): boolean {
    const same = typeof id === 'string' || typeof id === 'number' ? this.#running.get(id) : undefined
    for (const request of listOf(same)) request.abort(cancelled())
    return same !== undefined
  }

  cancelAll(): void {
    for (const same of [...this.#running.values()]) for (const request of listOf(same)) request.abort(cancelled())
  }
}

const listOf = (same: Cancel | readonly Cancel[] | undefined): readonly Cancel[] => {
  if (same === undefined) return []
  return same instanceof Cancel ? [same] : same
}

const cancelled = (): DOMException => new DOMException('The client cancelled the request.', 'AbortError')
