import type { Seals } from '../model/seal.js'
import type { ReplicaSeen } from '../storage/commons.js'
import type { OpenPeers } from './peers.js'

/** Who else is there, and who does what can be done only once. A process by itself is a fleet of one. */
export interface Fleet extends AsyncDisposable {
  /** Our own name. */
  readonly replica: string
  /** Nobody else can ever be there: nothing is to be shared, asked or told. */
  readonly isAlone: boolean
  readonly seals: Seals
  /** How the others are asked, and how what they ask is judged: see `openPeers`. Undefined for a process by itself. */
  readonly peers?: OpenPeers | undefined
  /**
   * Milliseconds since the epoch by the clock of the store, counted on from when it last told us: what replicas say to each
   * other is dated by it, so that a clock of ours that is wrong harms nothing.
   */
  now(): number
  /** Those that live, ourselves included. */
  members(): readonly Member[]
  onMembers(listener: () => void): () => void
  /** Hears anew who is there; asked before somebody is said to be gone. Never rejects, and nobody waits long. */
  hear(): Promise<void>
  /** What runs once: somewhere in the fleet, for as long as somebody wants it. */
  hold(name: string, options?: HoldOptions): Holding
  /** Where something is that we `hold` or wait for; `nowhere` for what nobody here wants. */
  look(name: string): Place
  /** Every lease as it stood at the last heartbeat, for operators. */
  leases(): readonly LeaseStanding[]
  /** Which member something belongs to that needs no lease: the same answer everywhere while the members are the same. */
  placeOf(name: string): Member
  /** From here on we listen there; the others may ask us. */
  listenAt(address: string): void
  /** Gives everything back that we hold, so that others go on with it, and takes nothing more. */
  drain(): Promise<void>
}

export interface Member extends ReplicaSeen {
  readonly isUs: boolean
}

export interface HoldOptions {
  /** When we cannot say that we still hold it: go on, or stop before another could begin. Default `keep`. */
  readonly whenCutOff?: 'keep' | 'stop' | undefined
}

/** Where something is that runs once. */
export type Place =
  | { readonly at: 'here'; readonly epoch: number }
  | { readonly at: 'elsewhere'; readonly member: Member; readonly epoch: number }
  /** Nobody has it, or nobody knows; somebody will. */
  | {
      readonly at: 'nowhere'
      /** It ran here and is given back in peace: what was asked may be answered before it ends. */
      readonly mayFinish?: boolean | undefined
    }

export interface Holding {
  /** Also `nowhere` while a process that stood still does not know yet whether it is still its own: what runs goes on. */
  readonly place: Place
  /**
   * Told of each new place, and again of an old one that was in doubt. Who held it ends its own work before another is told
   * so, unless it was cut off.
   */
  onPlace(listener: (place: Place) => void): () => void
  /** A peer told us who holds it, with a later epoch than we know. */
  learn(holder: string, epoch: number): void
  /** What ran here has ended: another may begin. Called by who was told to stop. */
  ended(): void
  /** We want it no more. */
  release(): Promise<void>
}

export interface LeaseStanding {
  readonly name: string
  readonly holder: string | undefined
  readonly epoch: number
  readonly isFree: boolean
}

/** The name of the lease under which a source runs at one replica for all. */
export const sourceLease = (source: string): string => `source:${source}`

/** A process by itself: it holds everything, and there is nobody to ask. */
export const aloneFleet = (seals: Seals): Fleet => {
  const us: Member = {
    name: 'alone',
    address: undefined,
    version: '',
    state: 'ready',
    instance: '',
    secrets: [],
    silentMs: 0,
    isUs: true,
  }
  const here: Place = { at: 'here', epoch: 1 }
  return {
    replica: us.name,
    isAlone: true,
    seals,
    now: () => Date.now(),
    members: () => [us],
    onMembers: () => () => {},
    hear: async () => {},
    hold: () => ({
      place: here,
      onPlace: () => () => {},
      learn: () => {},
      ended: () => {},
      release: async () => {},
    }),
    look: () => here,
    leases: () => [],
    placeOf: () => us,
    listenAt: () => {},
    drain: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
}
