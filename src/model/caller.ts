/**
 * `register` adds and removes definitions; `look`, `operate` and `approve` are an operator's; `spawn` starts processes or
 * changes addresses. `call:readonly` is the right to call what the operator says is read-only.
 */
export type Right =
  | 'discover'
  | 'call:readonly'
  | 'call'
  | 'register'
  | 'look'
  | 'operate'
  | 'approve'
  | 'admin'
  | 'spawn'

/** What vouches for a caller: an issuer for a person or a machine, a key, being in our own process; or nothing at all. */
export type CallerKind = 'person' | 'machine' | 'key' | 'local' | 'anonymous'

/** Somebody whom an issuer vouches for. Known by issuer and subject: names and addresses change hands. */
export interface Identity {
  /** Made of issuer and subject, see `identityId`. */
  readonly id: string
  readonly issuer: string
  readonly subject: string
  /** For people to read; never compared. */
  readonly name?: string | undefined
  /** Only one that the issuer has verified. */
  readonly email?: string | undefined
  readonly groups?: readonly string[] | undefined
}

/** What one caller may use up, over all their clients. */
export interface CallerLimits {
  readonly callsPerMinute?: number | undefined
  readonly concurrency?: number | undefined
}

/** Who asks. Identity comes from a verified credential or from being in our own process, never from a header. */
export interface Caller {
  readonly id: string
  /** What an operator called its key; rules may speak of it. Two keys can have one name, so it is nobody's identity. */
  readonly name?: string | undefined
  readonly rights: readonly Right[]
  /** The profile whose view and limits apply; undefined means the default one. */
  readonly profile?: string | undefined
  /** The only profiles it may use, the first of them at `/mcp`; `*` is any. Default: `profile` alone, or any without one. */
  readonly profiles?: readonly string[] | undefined
  /** May say for which account it asks (`x-account-id` of action recall), and is believed. Default: false. */
  readonly actsForAccounts?: boolean | undefined
  readonly kind?: CallerKind | undefined
  /** The person or machine behind it; whose credentials upstream are used. A key that has an owner acts as that person. */
  readonly identity?: Identity | undefined
  /** The program by which a person asks, as it is known to whoever let it in. */
  readonly client?: string | undefined
  /** The session it came by, and with which it ends. */
  readonly session?: string | undefined
  /**
   * The token it showed with this very request, where a source may have it exchanged at its issuer; it goes nowhere else. A
   * function, so that whatever writes a caller down leaves it out.
   */
  readonly shown?: (() => string) | undefined
  /** What its grant says, before what its profile does. */
  readonly limits?: CallerLimits | undefined
}

/**
 * The profile by which a caller is served who names this one, or none; undefined for one that they may not use, which is for
 * them as if it were not there.
 */
export const profileFor = ({ profile, profiles }: Caller, named: string | undefined): string | undefined => {
  if (!profiles)
    return profile === undefined
      ? (named ?? plainProfile)
      : named === undefined || named === profile
        ? profile
        : undefined
  const [first = plainProfile] = profiles
  if (named === undefined) return first === anyProfile ? plainProfile : first
  return profiles.includes(named) || profiles.includes(anyProfile) ? named : undefined
}

/** The same caller as seen through this profile. */
export const throughProfile = (caller: Caller, name: string): Caller =>
  name === (caller.profile ?? plainProfile) ? caller : { ...caller, profile: name === plainProfile ? undefined : name }

const plainProfile = 'default'
const anyProfile = '*'

/** Code in our own process: the library faces and the command line. */
export const localCaller: Caller = Object.freeze({
  id: 'local',
  kind: 'local',
  rights: Object.freeze([
    'discover',
    'call',
    'register',
    'look',
    'operate',
    'approve',
    'admin',
    'spawn',
  ] as const satisfies readonly Right[]),
})
