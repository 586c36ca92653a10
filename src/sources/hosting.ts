import { isGatewayError } from '../errors.js'
import type { McpSource } from './mcp-source.js'
import type { McpSourceOptions } from './mcp-source-options.js'

/** A source at the replica that holds it, and the epoch by which it does. */
export interface HeldAt {
  readonly source: string
  readonly replica: string
  /** Undefined for what belongs to a replica without a lease: sources by caller. */
  readonly epoch?: number | undefined
}

/**
 * Makes a source of what another replica holds. It asks that one replica under that one epoch: where the place changes it is
 * disposed, and another is made. What it refuses because it is not held there any more says so by `movedTo`.
 */
export type OpenPeerSource = (where: HeldAt, options: McpSourceOptions) => McpSource

/** Who holds it by now, as the replica knew that was asked in vain. */
export interface MovedTo {
  /** Undefined where that replica does not know. */
  readonly holder: string | undefined
  readonly epoch: number
}

// Whoever tells a failure on gives it as the cause of theirs.
const deepest = 8

/** Why a replica that was asked did nothing: another holds the source. Undefined for every other failure. */
export const movedTo = (error: unknown): MovedTo | undefined => {
  let each = error
  for (let depth = 0; depth < deepest && isGatewayError(each); depth++, each = each.cause) {
    const moved = each.details?.movedTo
    if (moved !== undefined) return moved as MovedTo
  }
  return undefined
}

/** Where a source is asked that one replica runs for all. */
export type SourcePlace =
  | { readonly at: 'here'; readonly epoch: number }
  | { readonly at: 'elsewhere'; readonly replica: string; readonly epoch: number }
  /** `mayFinish`: what runs here may answer what it was asked, then it ends. */
  | { readonly at: 'nowhere'; readonly mayFinish?: boolean | undefined }

/** The lease of one source. */
export interface SourceHold {
  /** Looked at before each call: who stood still does not answer with what may be another's by now. */
  readonly place: SourcePlace
  onPlace(listener: (place: SourcePlace) => void): () => void
  /** A peer said who holds it. */
  learn(holder: string, epoch: number): void
  /** What ran here has ended. */
  ended(): void
  release(): Promise<void>
}

/** How sources share replicas, as those who serve tell them; nobody asks where a process is by itself. */
export interface Hosting {
  hold(source: string, whenCutOff: 'keep' | 'stop'): SourceHold
  /** The replica that asks this source on behalf of this caller; undefined where that is us. */
  placeFor(source: string, caller: string): string | undefined
  isThere(replica: string): boolean
  onMembers(listener: () => void): () => void
  readonly open: OpenPeerSource
}
