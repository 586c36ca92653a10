import type { RpcId } from '../../mcp/rpc-error.js'

/** The requests of one client that are being answered, so that a notification can cancel one by its id. */
export interface RunningRequests {
  /** Undefined when too many run already. The id may be in use: some clients reuse theirs, and each gets its answer. */
  begin(id: RpcId): AbortController | undefined
  end(id: RpcId, controller: AbortController): void
  cancel(id: unknown): boolean
  cancelAll(): void
  readonly size: number
}

export const createInFlight = (most: number): RunningRequests => {
  // 1 and "1" are two ids, which a Map tells apart.
  const running = new Map<RpcId, Set<AbortController>>()
  let size = 0
  return {
    begin: (id) => {
      if (size >= most) return undefined
      size += 1
      const controller = new AbortController()
      const same = running.get(id)
      if (same) same.add(controller)
      else running.set(id, new Set([controller]))
      return controller
    },
    end: (id, controller) => {
      const same = running.get(id)
      if (!same?.delete(controller)) return
      size -= 1
      if (same.size === 0) running.delete(id)
    },
    cancel: (id) => {
      const same = typeof id === 'string' || typeof id === 'number' ? running.get(id) : undefined
      for (const controller of same ?? []) controller.abort()
      return same !== undefined
    },
    cancelAll: () => {
      for (const same of running.values()) for (const controller of same) controller.abort()
    },
    get size() {
      return size
    },
  }
}
