import { GatewayError, isGatewayError, messageOf } from '../errors.js'
import type { GuardReport } from './stdio/leash/guards.js'

/** The states of a source. One set of names, shown by every face. */
export type SourceState =
  | 'stopped'
  | 'starting'
  | 'ready'
  | 'degraded'
  | 'backing-off'
  | 'crash-loop'
  | 'parked'
  | 'needs-auth'
  | 'needs-config'
  | 'pending'
  | 'quarantined'
  /** In a fleet: another replica runs it, and is asked for it. */
  | 'elsewhere'

export interface SourceStatus {
  readonly state: SourceState
  /** Why it is not simply ready, in words for a person. */
  readonly reason: string | undefined
  /** When it is tried again, in milliseconds since the epoch; undefined when no try is planned. */
  readonly nextRetryAt: number | undefined
  /** What the far side is, once it said so: era, version, name. */
  readonly peer?: SourcePeer | undefined
  /** The far side remembers each of its sessions: what one caller did, another call of theirs finds. */
  readonly keepsSession?: boolean | undefined
  /** The replica that runs it, where that is another. */
  readonly replica?: string | undefined
  /** What its processes are kept by, where anything was asked for. */
  readonly guards?: GuardReport | undefined
  /** Where each caller, or each client session, has a process of its own. */
  readonly processes?: ProcessCount | undefined
}

/** How many processes a source has that runs one for each who uses it. */
export interface ProcessCount {
  /** Those that run, start or end, the spare included. */
  readonly running: number
  readonly most: number
  /** Whose each of them is. */
  readonly by: 'caller' | 'session'
}

export interface SourcePeer {
  readonly era: 'legacy' | 'modern'
  readonly version: string
  readonly name: string | undefined
}

export const readyStatus: SourceStatus = Object.freeze({ state: 'ready', reason: undefined, nextRetryAt: undefined })

/** A source that is watched over: it starts, fails, is tried again, sleeps and can be told to. */
export interface Supervised {
  readonly status: SourceStatus
  onStatus(listener: (status: SourceStatus) => void): () => void
  /** Starts it if it is not running, whatever it waited for. Resolves when it is ready, rejects when it is not. */
  start(): Promise<void>
  /** Ends it until `start` or `restart`; its tools are withdrawn. */
  stop(): Promise<void>
  restart(): Promise<void>
  /** One health check: does it answer? */
  check(): Promise<boolean>
}

/** Whether a source is watched over. */
export const isSupervised = <S extends object>(source: S): source is S & Supervised => 'status' in source

/** Why a source could not be mounted, as one of our errors. */
export const toStartError = (name: string, error: unknown): GatewayError =>
  isGatewayError(error)
    ? error
    : new GatewayError('SOURCE_START_FAILED', `Source '${name}' did not start: ${messageOf(error)}`, { cause: error })

/** A source whose circuit is open is not shown as ready, whatever it reports itself. */
export const leftAlone = (
  status: SourceStatus,
  circuit: { readonly reason: string; readonly retryAt: number },
): SourceStatus => ({
  ...status,
  state: 'degraded',
  reason: `Failed repeatedly and is left alone for a while. It last failed with: ${circuit.reason}`,
  nextRetryAt: circuit.retryAt,
})

/** Resting: its tools stay listed, a call starts it. */
export const asleepStatus: SourceStatus = Object.freeze({
  state: 'stopped',
  reason: 'Sleeps until one of its tools is called.',
  nextRetryAt: undefined,
})

/** States in which a call is refused with the reason instead of waiting for what already failed. */
export const downStates: ReadonlySet<SourceState> = new Set([
  'backing-off',
  'crash-loop',
  'parked',
  'needs-auth',
  'needs-config',
  'pending',
  'quarantined',
])
