import { hash } from 'node:crypto'
import { GatewayError } from '../../../errors.js'
import type { WhoAsks } from '../../../model/call.js'

/** Whose a process is: everybody's, a caller's, or a client session's. */
export type Isolation = 'shared' | 'caller' | 'session'

/** How many processes a source may have, and when they end. */
export interface IsolationBounds {
  /** At once, the spare and those that are ending included. Default 8. */
  readonly maxProcesses?: number | undefined
  /** How many are started ahead of whoever comes next: none or one. Default 1. */
  readonly spare?: number | undefined
  /** A process that nobody has asked for so long is ended. Default 5 minutes. */
  readonly idleStopMs?: number | undefined
}

/** What an entry says of it; see docs/isolation.md. */
export interface IsolationEntry extends Omit<IsolationBounds, 'idleStopMs'> {
  /** Default `shared`. */
  readonly isolation?: Isolation | undefined
}

export interface IsolatedBy extends IsolationBounds {
  readonly isolation: 'caller' | 'session'
}

export const boundsOf = ({ maxProcesses = 8, spare = 1, idleStopMs = 300_000 }: IsolationBounds) => ({
  maxProcesses,
  spare,
  idleStopMs,
})

/** Whose process it is. A digest: what clients call themselves has no bound, and ids of sessions are not to be kept. */
export const ownerOf = (isolation: 'caller' | 'session', { caller, session }: WhoAsks): string =>
  hash('sha256', JSON.stringify([caller, isolation === 'session' ? (session?.key ?? '') : null]), 'base64')

/** All there may be are somebody's who may still want what is in them. */
export const noProcessLeft = (source: string, maxProcesses: number, waitMs: number): GatewayError =>
  new GatewayError(
    'OVERLOADED',
    `The source '${source}' runs a process for each of those who use it, and all ${maxProcesses} that it may have are in use. One is free when its user leaves or is idle: try again in ${Math.max(1, Math.ceil(waitMs / 1000))} s. An operator can raise maxProcesses.`,
    { details: { source, maxProcesses }, retryAfterMs: waitMs, notSent: true },
  )
