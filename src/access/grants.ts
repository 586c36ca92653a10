import type { Caller, CallerLimits, Identity, Right } from '../model/caller.js'
import { narrowed, type Role, rightsOfRole } from '../model/role.js'

/** Who gets what. The first row that fits counts, and counts whole. */
export interface GrantRow {
  readonly groups?: readonly string[] | undefined
  /** Ids of machines: the subject or client of a token that no person stands behind. */
  readonly clients?: readonly string[] | undefined
  /** Verified addresses, or ids. */
  readonly people?: readonly string[] | undefined
  readonly everyone?: true | undefined
  readonly role: Role
  /** The first is served at `/mcp`; `*` is any. Default: `default`. */
  readonly profiles?: readonly string[] | undefined
  readonly limits?: CallerLimits | undefined
}

/** Who is asked about. */
export interface Applicant {
  readonly identity: Identity
  readonly kind: 'person' | 'machine'
  /** The OAuth client of its token. */
  readonly client?: string | undefined
}

export interface Granted {
  /** Which row, from 0. */
  readonly row: number
  readonly role: Role
  readonly rights: readonly Right[]
  readonly profiles: readonly string[]
  readonly limits?: CallerLimits | undefined
}

const plainProfiles: readonly string[] = Object.freeze(['default'])

/** What the table gives them; undefined where no row fits, or the one that does says `none`. */
export const grantOf = (rows: readonly GrantRow[], applicant: Applicant): Granted | undefined => {
  const row = rows.findIndex((each) => fits(each, applicant))
  const found = rows[row]
  if (!found || found.role === 'none') return undefined
  const { role, profiles = plainProfiles, limits } = found
  return { row, role, rights: rightsOfRole(role), profiles, limits }
}

export const fits = (row: GrantRow, { identity, kind, client }: Applicant): boolean => {
  if (row.everyone) return true
  if (row.groups?.some((group) => identity.groups?.includes(group))) return true
  if (kind === 'machine')
    return row.clients?.some((each) => each === identity.subject || each === client || each === identity.id) ?? false
  return (
    row.people?.some(
      (each) =>
        each === identity.id ||
        each === identity.subject ||
        (identity.email !== undefined && each.toLowerCase() === identity.email.toLowerCase()),
    ) ?? false
  )
}

/** How they came in. */
export interface CameBy {
  /** Of the token. Default: no token narrows them. */
  readonly scopes?: readonly string[] | undefined
  readonly client?: string | undefined
  readonly session?: string | undefined
}

/** The caller that an applicant is by what was granted: groups give, scopes narrow. */
export const callerBy = (
  { identity, kind }: Applicant,
  granted: Granted,
  { scopes, client, session }: CameBy,
): Caller =>
  Object.freeze({
    id: identity.id,
    kind,
    identity,
    client,
    session,
    rights: scopes === undefined ? granted.rights : narrowed(granted.rights, scopes),
    profile: granted.profiles[0] === '*' ? undefined : granted.profiles[0],
    profiles: granted.profiles,
    limits: granted.limits,
  })

/** What a row asks for, of which somebody has some or none. */
export type GrantCondition = 'everyone' | 'groups' | 'clients' | 'people'

/** Why a row does not count for them: what it names, and what stands in the way of each. */
export interface GrantMiss {
  readonly condition: Exclude<GrantCondition, 'everyone'>
  /** `not-named`: they are none of these. The others: they could not be, whatever the row names. */
  readonly why: 'not-named' | 'no-groups' | 'no-machine' | 'no-person' | 'no-verified-address'
}

export interface GrantStep {
  /** From 0. */
  readonly row: number
  readonly role: Role
  /** By which of its conditions it fits, and by which entry. */
  readonly by?: { readonly condition: GrantCondition; readonly entry?: string | undefined } | undefined
  readonly missed: readonly GrantMiss[]
}

/** How the table came to its answer: the rows up to the one that counts. */
export interface GrantStory {
  readonly steps: readonly GrantStep[]
  readonly granted: Granted | undefined
}

/** The same as `grantOf`, with the reason of every row that was looked at. */
export const explainGrant = (rows: readonly GrantRow[], applicant: Applicant): GrantStory => {
  const steps: GrantStep[] = []
  for (const [index, row] of rows.entries()) {
    const by = fittingBy(row, applicant)
    steps.push({ row: index, role: row.role, by, missed: by ? [] : missedBy(row, applicant) })
    if (by) break
  }
  return { steps, granted: grantOf(rows, applicant) }
}

const fittingBy = (row: GrantRow, applicant: Applicant): GrantStep['by'] => {
  if (row.everyone) return { condition: 'everyone' }
  for (const condition of ['groups', 'clients', 'people'] as const) {
    const entry = row[condition]?.find((each) => fits({ role: row.role, [condition]: [each] }, applicant))
    if (entry !== undefined) return { condition, entry }
  }
  return undefined
}

const missedBy = (row: GrantRow, { identity, kind }: Applicant): readonly GrantMiss[] => {
  const isAddressed = row.people?.some((each) => each.includes('@')) ?? false
  const reasons: Readonly<Record<GrantMiss['condition'], GrantMiss['why']>> = {
    groups: identity.groups === undefined || identity.groups.length === 0 ? 'no-groups' : 'not-named',
    clients: kind === 'machine' ? 'not-named' : 'no-machine',
    people:
      kind === 'machine'
        ? 'no-person'
        : isAddressed && identity.email === undefined
          ? 'no-verified-address'
          : 'not-named',
  }
  return (['groups', 'clients', 'people'] as const)
    .filter((condition) => row[condition] !== undefined)
    .map((condition) => ({ condition, why: reasons[condition] }))
}
