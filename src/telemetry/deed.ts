import type { Caller, CallerKind } from '../model/caller.js'

/** What somebody did, besides calls, which are told by `CallListener`. */
export const deedKinds = [
  'sign-in',
  'sign-out',
  'refusal',
  'consent',
  'key',
  'person',
  'grant',
  'approval',
  'source',
  'setting',
  'credential',
  'break-glass',
  'export',
  'system',
] as const
export type DeedKind = (typeof deedKinds)[number]

/** Who did it. */
export interface Actor {
  readonly id: string
  readonly type: CallerKind | 'system'
  readonly name?: string | undefined
  /** How they came: `key`, `token`, `console`, `stdio`, `cli` … */
  readonly via?: string | undefined
  readonly client?: string | undefined
  /** Only where the operator wants it kept. */
  readonly ip?: string | undefined
}

/** One deed of the trail: names, hashes and codes, never a secret and never what was said. */
export interface Deed {
  readonly kind: DeedKind
  /** A verb: `create`, `revoke`, `approve`, `restart`, `refresh` … */
  readonly action: string
  readonly actor: Actor
  readonly on?: { readonly type: string; readonly id: string } | undefined
  readonly source?: string | undefined
  readonly profile?: string | undefined
  readonly outcome: 'ok' | 'refused' | 'failed'
  readonly code?: string | undefined
  /** Worth waking somebody for: the use of a key for emergencies. */
  readonly severity?: 'high' | undefined
  /** The script that it is about. */
  readonly run?: string | undefined
  /** Names or hashes of what was there before and is now. */
  readonly before?: string | undefined
  readonly after?: string | undefined
  /** How often, of what is folded into one line. */
  readonly count?: number | undefined
}

/** Writes a deed down. Never throws and never waits: a trail that cannot be kept is the operator's to hear of. */
export type Note = (deed: Deed) => void

/** A caller as the one who did it. */
export const actorOf = ({ id, kind, identity, client }: Caller, via?: string): Actor => ({
  id,
  type: kind ?? (id === 'anonymous' ? id : 'key'),
  name: identity?.name ?? identity?.email,
  via,
  client,
})

/** Pegboard itself: a timer, a start, an end. */
export const systemActor: Actor = Object.freeze({ id: 'pegboard', type: 'system' })
