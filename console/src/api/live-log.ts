import { useSyncExternalStore } from 'react'
import type { LoggedAfter, LogLine } from '../../../src/faces/admin/calls.js'

const mostLines = 2000
let lines: readonly LogLine[] = []
const listeners = new Set<() => void>()

const set = (next: readonly LogLine[]): void => {
  lines = next
  for (const listener of listeners) listener()
}

/** What was logged since this page follows the gateway. */
export const addLines = (told: LoggedAfter): void => set([...lines, ...told.lines].slice(-mostLines))

export const forgetLines = (): void => set([])

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useLines = (): readonly LogLine[] => useSyncExternalStore(subscribe, () => lines)

/** What was there before and what came since, each line once, in the order in which it was said. */
export const joinLines = (before: readonly LogLine[], since: readonly LogLine[]): readonly LogLine[] => {
  const byPlace = new Map([...before, ...since].map((line) => [`${line.replica ?? ''} ${line.n} ${line.at}`, line]))
  return [...byPlace.values()].sort((one, other) => one.at - other.at || one.n - other.n).slice(-mostLines)
}
