import type { Gateway } from '../../gateway.js'
import { notificationText } from '../../mcp/message.js'
import type { Clock } from '../../model/clock.js'
import type { HotSet } from './exposure.js'

/** The lists that clients keep. */
export type ListKind = 'tools' | 'prompts' | 'resources'

/** Tells clients that their list changed: at once, then at most once a second however fast a source flaps (F32). */
export interface Changes {
  /** Called after a change of the list or of who may see what. Default: the tools. Returns how to stop. */
  subscribe(listener: () => void, kind?: ListKind): () => void
  /** The list of tools is shown in another way from now on. */
  ring(): void
  close(): void
}

const quietMs = 1000

export const watchChanges = (gateway: Gateway, clock: Clock, hot?: HotSet): Changes => {
  const bells = { tools: createBell(clock), prompts: createBell(clock), resources: createBell(clock) }
  const stops = [
    gateway.catalog.onChange(bells.tools.ring),
    gateway.policy.onChange(() => {
      for (const bell of Object.values(bells)) bell.ring()
    }),
    gateway.surfaces.subscribe({ changed: (kind) => bells[kind].ring(), updated: () => {} }),
    hot?.onChange(bells.tools.ring),
  ]
  return {
    subscribe: (listener, kind = 'tools') => bells[kind].subscribe(listener),
    ring: bells.tools.ring,
    close: () => {
      for (const stop of stops) stop?.()
      for (const bell of Object.values(bells)) bell.close()
    },
  }
}

const kinds: readonly ListKind[] = ['tools', 'prompts', 'resources']

/** Says every change as legacy clients hear it: unasked. Returns how to stop. */
export const tellChanges = (changes: Changes, send: (text: string) => void): (() => void) => {
  const stops = kinds.map((kind) =>
    changes.subscribe(() => send(notificationText(`notifications/${kind}/list_changed`)), kind),
  )
  return () => {
    for (const stop of stops) stop()
  }
}

interface Bell {
  readonly ring: () => void
  subscribe(listener: () => void): () => void
  close(): void
}

const createBell = (clock: Clock): Bell => {
  const listeners = new Set<() => void>()
  let pending = false
  let cancelTimer: (() => void) | undefined
  const tell = (): void => {
    pending = false
    cancelTimer = clock.after(quietMs, () => {
      cancelTimer = undefined
      if (pending) tell()
    })
    for (const listener of [...listeners]) listener()
  }
  return {
    ring: () => {
      pending = true
      if (!cancelTimer) tell()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => {
      cancelTimer?.()
      listeners.clear()
    },
  }
}
