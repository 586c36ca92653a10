import type { Gateway, Located } from '../../../gateway.js'
import { notificationText, stripReserved } from '../../../mcp/message.js'
import type { Caller } from '../../../model/caller.js'
import { isRecord, type JsonObject } from '../../../model/json.js'

/** Updates of resources, from the sources that announce them to the clients that follow them. */
export interface Following {
  /** Tells of changes under the URI the client knows, while it may see it and until stopped. `meta` marks what is sent. */
  follow(caller: Caller, resource: Located, shown: string, send: (text: string) => void, meta?: JsonObject): () => void
  readonly size: number
  close(): void
}

export const createFollowing = (gateway: Gateway): Following => {
  const listeners = new Map<string, Set<(params: JsonObject) => void>>()
  const keyOf = (source: string, uri: string): string => JSON.stringify([source, uri])
  const stop = gateway.surfaces.subscribe({
    changed: () => {},
    updated: (source, params) => {
      for (const listener of [...(listeners.get(keyOf(source, String(params.uri))) ?? [])]) listener(params)
    },
  })
  return {
    follow: (caller, resource, shown, send, meta) => {
      const { mounted, name } = resource
      const key = keyOf(mounted.source, name)
      const listener = (params: JsonObject): void => {
        // Rules change while streams stay open (S15).
        if (!gateway.policy.decide(caller, resource, 'see').allowed) return
        const { _meta, ...rest } = params
        const kept = { ...stripReserved(isRecord(_meta) ? (_meta as JsonObject) : undefined), ...meta }
        const marked = Object.keys(kept).length > 0 ? kept : undefined
        send(notificationText('notifications/resources/updated', { ...rest, uri: shown, _meta: marked }))
      }
      const same = listeners.get(key) ?? new Set()
      listeners.set(key, same.add(listener))
      const leave = mounted.surface.follow(name)
      return () => {
        leave()
        same.delete(listener)
        if (same.size === 0) listeners.delete(key)
      }
    },
    get size() {
      return listeners.size
    },
    close: () => {
      stop()
      listeners.clear()
    },
  }
}
