import type { Clock } from '../../../model/clock.js'
import { adviceOf, type Ending, type EndingKind } from './ending.js'

export interface RedialOptions {
  readonly clock: Clock
  /** The first delay, doubled with each failure (001-24). */
  readonly initialBackoffMs: number
  readonly maxBackoffMs: number
  /** Uniform in [0, 1). Default: Math.random. */
  readonly random?: (() => number) | undefined
}

/** When to dial again. It holds no timer: the endpoint acts, this only judges. */
export interface Redial {
  /** The connection is open. */
  opened(): void
  ended(ending: Ending): NextDial
}

export interface NextDial {
  readonly delayMs: number
  /** Waiting alone will not mend it: what a person should do. */
  readonly alarm: string | undefined
}

/** A delay is shortened by up to this share, so that what dropped together does not come back together (F31). */
export const jitter = 0.2
/** Being connected for this long forgives what was before. */
export const healthyMs = 60_000
/** F31: a token that is still refused after a few tries is asked about four times an hour. */
const refusedMs = 15 * 60_000
const refusedTries = 3
/** 001 open point 7: from here on a failing far side is only asked at the longest delay. */
const brokenTries = 5
const replacedTries = 3
/** mcp-gateway's pause between leaving and coming back; the relay needs a moment to notice (X7). */
const refreshMs = 500

export const createRedial = (options: RedialOptions): Redial => {
  const { clock, initialBackoffMs, maxBackoffMs, random = Math.random } = options
  let attempt = 0
  let openedAt: number | undefined
  let last: EndingKind | undefined
  let inARow = 0

  const forgive = (kind: EndingKind): void => {
    const openMs = openedAt === undefined ? 0 : clock.now() - openedAt
    openedAt = undefined
    // Two programs with one token take turns; a minute each must not count as health, or they would do so for ever (X8).
    if (openMs < (kind === 'replaced' ? 10 * healthyMs : healthyMs)) return
    attempt = 0
    inARow = 0
  }
  const baseOf = (kind: EndingKind): number => {
    if (kind === 'refused') return inARow > refusedTries ? Math.max(refusedMs, maxBackoffMs) : maxBackoffMs
    if (kind === 'address' || (kind === 'broken' && inARow > brokenTries)) return maxBackoffMs
    return Math.min(initialBackoffMs * 2 ** Math.min(attempt++, 30), maxBackoffMs)
  }

  return {
    opened: () => {
      openedAt = clock.now()
    },
    ended: ({ kind, retryAfterMs = 0 }) => {
      forgive(kind)
      if (kind === 'refresh') return { delayMs: refreshMs, alarm: undefined }
      inARow = kind === last ? inARow + 1 : 1
      last = kind
      const delayMs = Math.max(retryAfterMs, baseOf(kind) * (1 - jitter * random()))
      return { delayMs, alarm: isAlarming(kind, inARow) ? adviceOf[kind] : undefined }
    },
  }
}

const isAlarming = (kind: EndingKind, inARow: number): boolean => {
  switch (kind) {
    case 'refused':
    case 'address':
      return true
    case 'broken':
      return inARow > brokenTries
    case 'replaced':
      return inARow >= replacedTries
    case 'late':
      return inARow >= brokenTries
    default:
      return false
  }
}
