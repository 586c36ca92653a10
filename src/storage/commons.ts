import type { JsonObject } from '../model/json.js'

/**
 * What the replicas of one fleet have in common beside tools and documents, wherever it is kept. No call ever waits for it:
 * whoever serves calls has read what it needs, and follows.
 */
export interface Commons {
  /** Whether what is written now is kept, as far as this process knows. */
  readonly isUp: boolean
  /** Milliseconds since the heads were last read; for metrics and operators. */
  lagMs(): number
  onUp(listener: (isUp: boolean) => void): () => void
  /**
   * Told that rows of this kind were written, by anybody. Kinds: `tools`, `session`, `lease`, and those of documents. What a
   * listener returns is waited for by `look`, and by the next news for it.
   */
  follow(kind: string, listener: () => void | Promise<void>): () => void
  /**
   * Looks for what others wrote before a "not found" is said: who wrote at one replica may read at another. Resolves when
   * what was written before it was asked has been taken up by all who follow, here and by `follow` of stores and documents.
   * At most ten times a second, those who ask meanwhile share the next one; never rejects.
   */
  look(): Promise<void>
  /** The secret of the fleet, made by the first who asks and the same for all. */
  secret(): Promise<string>
  readonly leases: LeaseTable
  readonly buckets: Buckets
  readonly sessions: SessionRows
  readonly pending: PendingRows
}

export type ReplicaState = 'starting' | 'ready' | 'draining'

/** One replica, as the others know it. */
export interface Replica {
  readonly name: string
  /** How the others reach it: `http://10.0.0.7:8000`. Undefined while it does not listen. */
  readonly address: string | undefined
  /** Which Pegboard it runs. */
  readonly version: string
  readonly state: ReplicaState
  /** Tells two processes of one name apart; random at each start. */
  readonly instance: string
  /** Fingerprints of the secrets that it opens; what it seals is sealed by the first. */
  readonly secrets: readonly string[]
}

export interface ReplicaSeen extends Replica {
  /** Milliseconds since it was last heard of, by the clock of the store. */
  readonly silentMs: number
}

export interface LeaseRow {
  readonly name: string
  /** Undefined when nobody holds it. */
  readonly holder: string | undefined
  /** Grows with each new holder; who has an older one no longer holds it. */
  readonly epoch: number
  /** By the clock of the store: it may be taken. */
  readonly isFree: boolean
}

export interface SignOfLife {
  readonly replica: Replica
  readonly held: readonly Pick<LeaseRow, 'name' | 'epoch'>[]
  readonly leaseMs: number
}

export interface Heard {
  /** Those heard of within ten `leaseMs`, ourselves included. */
  readonly replicas: readonly ReplicaSeen[]
  readonly leases: readonly LeaseRow[]
  /** What the store's clock says, milliseconds since the epoch. */
  readonly storeMs: number
}

/** Rows with expiry and epoch, judged by the clock of the store alone. */
export interface LeaseTable {
  /**
   * One statement: says that we live, renews what we hold, and answers how everything stands. Rejects with FLEET_NAME_TAKEN
   * while another process of our name lives.
   */
  beat(sign: SignOfLife): Promise<Heard>
  /** The new epoch; undefined when somebody holds it. Announced. */
  take(name: string, holder: string, leaseMs: number): Promise<number | undefined>
  /** No-op unless it is still held so. Announced. */
  giveBack(lease: Pick<LeaseRow, 'name' | 'epoch'>, holder: string): Promise<void>
  /** How everything stands, for those who only look: nothing is renewed, and we are not heard of. */
  read(leaseMs: number): Promise<Heard>
  /**
   * An operator's word: whoever holds it no longer does. False when there is none of this name or nobody holds it. The epoch
   * grows, and it is free no earlier than before: that long its holder has to notice and to end what runs. Announced.
   */
  release(name: string): Promise<boolean>
  /** Forgets the replica, if it is still this process. */
  leave(replica: Pick<Replica, 'name' | 'instance'>): Promise<void>
}

/** Token buckets of the whole fleet, drawn from in chunks. */
export interface Buckets {
  /** How many of the wanted tokens there were; the bucket holds `calls` and refills in `perMs`. */
  draw(key: string, wanted: number, limit: { readonly calls: number; readonly perMs: number }): Promise<number>
}

/** What a session changes after its handshake, or that it ended. The session itself is in its id. */
export interface SessionRows {
  get(sid: string): Promise<{ readonly state: JsonObject; readonly ended: boolean } | undefined>
  /**
   * Announced. Its keys are put over those that are there, and null takes one away: two replicas may write at once, and
   * neither loses what the other wrote. What ended stays ended. Kept until `until`, milliseconds since the epoch.
   */
  put(sid: string, changes: JsonObject, until: number): Promise<void>
  /** Announced. */
  end(sid: string, until: number): Promise<void>
  /** Rows written since the last time this was asked, for those who follow `session`. */
  changes(): Promise<readonly { readonly sid: string; readonly state: JsonObject; readonly ended: boolean }[]>
}

/** What waits for a browser to come back, to whichever replica. Values come sealed. */
export interface PendingRows {
  put(id: string, sealed: string, until: number): Promise<void>
  /** Once: of two who take it, one gets it. Undefined when too old. */
  take(id: string): Promise<string | undefined>
}
