import { GatewayError } from '../../../errors.js'
import type { Gateway, Located } from '../../../gateway.js'
import { notificationText, stripReserved } from '../../../mcp/message.js'
import type { CallSession, IsFor } from '../../../model/call.js'
import type { Caller } from '../../../model/caller.js'
import { isRecord, type JsonObject } from '../../../model/json.js'

/** Updates of resources, from the sources that announce them to the clients that follow them. */
export interface Following {
  /**
   * Tells of changes under the URI the client knows, while it may see it and until stopped. `meta` marks what is sent. A
   * refusal where the caller or the source has as many as may be (S10).
   */
  follow(
    asker: FollowingAsker,
    resource: Located,
    shown: string,
    send: (text: string) => void,
    meta?: JsonObject,
  ): (() => void) | GatewayError
  readonly size: number
  close(): void
}

/** Who follows, and the client session in which they do, where there is one. */
export interface FollowingAsker {
  readonly caller: Caller
  readonly session?: CallSession | undefined
}

const longestUri = 4096

export const createFollowing = (gateway: Gateway): Following => {
  const share = gateway.shares.of('followed')
  const listeners = new Map<string, Set<(params: JsonObject, isFor?: IsFor) => void>>()
  const keyOf = (source: string, uri: string): string => JSON.stringify([source, uri])
  const stop = gateway.surfaces.subscribe({
    changed: () => {},
    updated: (source, params, isFor) => {
      for (const listener of [...(listeners.get(keyOf(source, String(params.uri))) ?? [])]) listener(params, isFor)
    },
  })
  return {
    follow: ({ caller, session }, resource, shown, send, meta) => {
      const { mounted, name } = resource
      // The address is kept as long as it is followed, in the caller's own words.
      if (shown.length > longestUri) return tooLong()
      const refused = share.take(caller.id)
      if (refused) return refused
      const leave = mounted.surface.follow(name, caller.id, session)
      if (typeof leave !== 'function') {
        share.give(caller.id)
        return leave
      }
      const key = keyOf(mounted.source, name)
      const listener = (params: JsonObject, isFor?: IsFor): void => {
        if (isFor && !isFor({ caller: caller.id, session })) return
        // Rules change while streams stay open (S15).
        if (!gateway.policy.decide(caller, resource, 'see').allowed) return
        const { _meta, ...rest } = params
        const kept = { ...stripReserved(isRecord(_meta) ? (_meta as JsonObject) : undefined), ...meta }
        const marked = Object.keys(kept).length > 0 ? kept : undefined
        send(notificationText('notifications/resources/updated', { ...rest, uri: shown, _meta: marked }))
      }
      const same = listeners.get(key) ?? new Set()
      listeners.set(key, same.add(listener))
      let left = false
      return () => {
        if (left) return
        left = true
        leave()
        share.give(caller.id)
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

const tooLong = (): GatewayError =>
  new GatewayError(
    'ARGUMENTS_INVALID',
    `An address of more than ${longestUri} characters can be read, but not followed.`,
  )
