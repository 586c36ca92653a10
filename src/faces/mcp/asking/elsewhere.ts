import type { Gateway } from '../../../gateway.js'
import { notificationText } from '../../../mcp/message.js'

/** Elicitations that legacy clients finish in a browser: their server says when, and whoever was asked is told. */
export interface Elsewhere {
  /** This session was asked by this source to go there. */
  asked(source: string, elicitationId: string, send: (text: string) => void): void
  close(): void
}

// Servers need not say that one is done, so the oldest are forgotten.
const mostKnown = 1000
// A server's own words, kept until it says that it is done.
const longestId = 1024

const keyOf = (source: string, elicitationId: string): string => JSON.stringify([source, elicitationId])

export const createElsewhere = (gateway: Gateway): Elsewhere => {
  const known = new Map<string, (text: string) => void>()
  const stop = gateway.surfaces.subscribe({
    changed: () => {},
    updated: () => {},
    completed: (source, elicitationId) => {
      const key = keyOf(source, elicitationId)
      known.get(key)?.(notificationText('notifications/elicitation/complete', { elicitationId }))
      known.delete(key)
    },
  })
  return {
    asked: (source, elicitationId, send) => {
      if (elicitationId.length > longestId) return
      known.set(keyOf(source, elicitationId), send)
      if (known.size > mostKnown) known.delete(known.keys().next().value as string)
    },
    close: () => {
      stop()
      known.clear()
    },
  }
}
