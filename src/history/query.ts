import type { RequestKind } from '../model/call.js'
import type { KeptCall } from './kept-call.js'

/** Which calls are meant. Every word is compared whole, but `text`, which may stand anywhere. */
export interface CallFilter {
  /** From this moment on, in milliseconds since the epoch. */
  readonly from?: number | undefined
  /** Before this one. */
  readonly to?: number | undefined
  readonly tool?: string | undefined
  readonly source?: string | undefined
  /** By its name, of whichever version. */
  readonly client?: string | undefined
  /** By id or by shown name. */
  readonly caller?: string | undefined
  readonly profile?: string | undefined
  readonly kind?: RequestKind | undefined
  /** `failed`: whatever carries a code, or an answer that says that it failed. */
  readonly outcome?: 'ok' | 'failed' | undefined
  readonly code?: string | undefined
  /** A script, and the calls in it. */
  readonly run?: string | undefined
  /** In the names of tool, source, client and caller, and in the message; without regard to case. */
  readonly text?: string | undefined
}

export interface CallsAsked extends CallFilter {
  readonly limit: number
  /** The `next` of an answer. */
  readonly cursor?: string | undefined
}

export interface CallsFound {
  /** Newest first. */
  readonly calls: readonly KeptCall[]
  /** Not there at the end. */
  readonly next?: string | undefined
}

export const splits = ['tool', 'source', 'client', 'caller', 'profile', 'code'] as const
export type SplitBy = (typeof splits)[number]

export interface StatsAsked extends CallFilter {
  readonly from: number
  readonly to: number
  readonly by?: SplitBy | undefined
  /** How long one point of the series is. */
  readonly bucketMs: number
  /** The most rows of a split; the rest is one row. */
  readonly most: number
}
