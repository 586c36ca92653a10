import type { Gateway } from '../../../gateway.js'
import { notificationText } from '../../../mcp/message.js'
import type { WhoAsks } from '../../../model/call.js'

/** Elicitations that legacy clients finish in a browser: their server says when, and whoever was asked is told. */
export interface Elsewhere {
  /** This session was asked by this source to go there. */
  asked(source: string, elicitationId: string, send: (text: string) => void, asker?: WhoAsks): void
  close(): void
}

// Servers need not say that one is done, so the oldest are forgotten.
const mostKnown = 1000
// A server's own words, kept until it says that it is done.
const longestId = 1024

// Processes that callers have for themselves may each count from one.
const mostAlike = 64

interface AskedToGo {
  readonly asker: WhoAsks
  readonly send: (text: string) => void
}

const keyOf = (source: string, elicitationId: string): string => JSON.stringify([source, elicitationId])

export const createElsewhere = (gateway: Gateway): Elsewhere => {
  const known = new Map<string, AskedToGo[]>()
  const stop = gateway.surfaces.subscribe({
    changed: () => {},
    updated: () => {},
    completed: (source, elicitationId, isFor = () => true) => {
      const key = keyOf(source, elicitationId)
      const asked = known.get(key) ?? []
      const done = asked.findLast(({ asker }) => isFor(asker))
      done?.send(notificationText('notifications/elicitation/complete', { elicitationId }))
      const others = asked.filter((each) => !isFor(each.asker))
      if (others.length > 0) known.set(key, others)
      else known.delete(key)
    },
  })
  return {
    asked: (source, elicitationId, send, asker = { caller: '' }) => {
      if (elicitationId.length > longestId) return
      const key = keyOf(source, elicitationId)
      known.set(key, [...(known.get(key) ?? []).slice(1 - mostAlike), { asker, send }])
      if (known.size > mostKnown) known.delete(known.keys().next().value as string)
    },
    close: () => {
      stop()
      known.clear()
    },
  }
}
