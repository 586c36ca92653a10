import type { Gateway } from '../../../gateway.js'
import { notificationText } from '../../../mcp/message.js'

/** Elicitations that legacy clients finish in a browser: their server says when, and whoever was asked is told. */
export interface Elsewhere {
  /** This session was asked to go there. */
  asked(elicitationId: string, send: (text: string) => void): void
  close(): void
}

// Servers need not say that one is done, so the oldest are forgotten.
const mostKnown = 1000

export const createElsewhere = (gateway: Gateway): Elsewhere => {
  const known = new Map<string, (text: string) => void>()
  const stop = gateway.surfaces.subscribe({
    changed: () => {},
    updated: () => {},
    completed: (elicitationId) => {
      known.get(elicitationId)?.(notificationText('notifications/elicitation/complete', { elicitationId }))
      known.delete(elicitationId)
    },
  })
  return {
    asked: (elicitationId, send) => {
      known.set(elicitationId, send)
      if (known.size > mostKnown) known.delete(known.keys().next().value as string)
    },
    close: () => {
      stop()
      known.clear()
    },
  }
}
