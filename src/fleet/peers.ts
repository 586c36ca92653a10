import type { LineChannel } from '../mcp/client/line-transport.js'
import type { Caller } from '../model/caller.js'
import type { JsonObject } from '../model/json.js'
import type { Member } from './fleet.js'

/** Below this every route is for replicas alone. */
export const peerPath = '/fleet/v1'
/** Carries the pass: who asks, for whom, and the digest of what is asked. */
export const peerHeader = 'x-pegboard-peer'

/** What a pass says once it was opened, is in time, and fits the request it came with. */
export interface PeerPass {
  /** The replica that sends it. */
  readonly from: string
  /** For whom it asks: already let in, and allowed what it asks for. */
  readonly caller: Caller
  /** The epoch of the lease by which the sender thinks that we are to be asked. */
  readonly epoch?: number | undefined
  /** Of the connection that begins with this request. */
  readonly key?: Buffer | undefined
  /** The headers that the sender named in the request. All others are anybody's. */
  readonly headers: Readonly<Record<string, string>>
}

/** Why a pass is no good, in words that fit behind "because". */
export interface PassRefusal {
  readonly refused: string
}

/** A pass that opens here, is in time and was not used before. What it came with is still to be compared. */
export interface OpenedPass {
  readonly pass: PeerPass
  /** The pass, if it was made for exactly this. */
  fits(
    method: string,
    target: string,
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
    body: string | Buffer | undefined,
  ): PeerPass | undefined
}

/** Judges what comes from other replicas. */
export interface PeerDoor {
  /** Once: the second time it is used up. */
  open(header: unknown): OpenedPass | PassRefusal
}

export interface FleetRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below `peerPath`: `/pass`. */
  readonly path: string
  /** Covered by the pass, and told by it. Names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | Buffer | undefined
  readonly caller: Caller
  readonly epoch?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface FleetAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** As it comes, so that streams go on; whoever asked reads it to the end or breaks off. */
  readonly body: AsyncIterable<Buffer>
}

export interface LinkedSource {
  readonly source: string
  /** Undefined for what belongs to a replica without a lease. */
  readonly epoch?: number | undefined
}

/** What two replicas speak on a link. */
export const linkProtocol = 'pegboard-link'
/** Where links to a source begin. */
export const linkPath = '/mcp/:source'

/** What one replica lets others know: fire and forget. */
export interface Told {
  /** `cancel`, `session`, `key`, `elsewhere` … */
  readonly kind: string
  readonly content: JsonObject
}

/** How this replica asks the others. */
export interface FleetPeers extends AsyncDisposable {
  /** Rejects with SOURCE_UNAVAILABLE; `notSent` where it is sure that nothing was done. */
  send(member: Member, request: FleetRequest): Promise<FleetAnswer>
  /**
   * A connection to the face of one source that this replica holds, for as long as calls go there: one pass for all of them,
   * and every frame under a key of its own. Rejects with SOURCE_UNAVAILABLE and, where another holds it, `details.movedTo`.
   */
  link(member: Member, to: LinkedSource, signal?: AbortSignal): Promise<LineChannel>
  /** Never rejects, and nobody waits. */
  tell(told: Told, to: Member | 'all'): void
  /** The body of `POST /fleet/v1/tell`, as another replica sent it. */
  heard(body: Buffer, from: string): void
  /** What others told us. */
  onTold(kind: string, listener: (content: JsonObject, from: string) => void): () => void
}

/** Both directions of one replica. */
export interface OpenPeers extends FleetPeers {
  readonly door: PeerDoor
}
