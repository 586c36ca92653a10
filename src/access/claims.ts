import { GatewayError } from '../errors.js'
import type { Identity } from '../model/caller.js'
import { isRecord } from '../model/json.js'
import { identityOf, mostGroups } from './identity.js'

/** Which claims say what, by their paths: `groups`, `realm_access.roles`, `https://example.com/roles`. */
export interface ClaimNames {
  readonly name: string
  readonly groups: string
}

export interface ClaimRules {
  readonly names: ClaimNames
  /** The settings they come from, for words about them: `auth.people.claims`. */
  readonly setting: string
  /** Whether somebody without groups is a mistake: some row of the grants asks for groups. */
  readonly groupsNeeded: boolean
}

/** Longer than any directory's names of groups. */
const longestGroup = 1024
const longestText = 512

/** What stands at this path, whichever way its dots are meant: a claim's own name may hold some. Undefined: nothing. */
export const claimAt = (claims: Readonly<Record<string, unknown>>, path: string): unknown => {
  if (Object.hasOwn(claims, path)) return claims[path] ?? undefined
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot)
    const inner = Object.hasOwn(claims, head) ? claims[head] : undefined
    const found = isRecord(inner) ? claimAt(inner, path.slice(dot + 1)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether these claims leave something open that others of the same person may say. */
export const isIncomplete = (claims: Readonly<Record<string, unknown>>, { names, groupsNeeded }: ClaimRules): boolean =>
  (groupsNeeded && claimAt(claims, names.groups) === undefined && !hasTooManyGroups(claims, names.groups)) ||
  nameIn(claims, names.name) === undefined

/**
 * Who is meant by claims whose signature, issuer and audience somebody has checked. SIGN_IN_FAILED where they cannot be
 * taken: silence about a missing claim would be a person without rights whom nobody can explain.
 */
export const identityFrom = (claims: Readonly<Record<string, unknown>>, rules: ClaimRules): Identity => {
  const { iss: issuer, sub: subject } = claims
  if (typeof issuer !== 'string' || typeof subject !== 'string' || subject === '' || subject.length > longestText)
    throw failed('What the issuer says of this person has no subject (sub) that could be taken.')
  return identityOf({
    issuer,
    subject,
    name: nameIn(claims, rules.names.name),
    email: claims.email_verified === true ? text(claims.email) : undefined,
    groups: groupsIn(claims, rules),
  })
}

const nameIn = (claims: Readonly<Record<string, unknown>>, path: string): string | undefined =>
  text(claimAt(claims, path)) ?? text(claims.name) ?? text(claims.preferred_username)

const text = (value: unknown): string | undefined =>
  typeof value === 'string' &&
  value.trim() !== '' &&
  value.length <= longestText &&
  !/\p{Cc}|\p{Surrogate}/u.test(value)
    ? value
    : undefined

const groupsIn = (
  claims: Readonly<Record<string, unknown>>,
  { names, setting, groupsNeeded }: ClaimRules,
): readonly string[] | undefined => {
  if (hasTooManyGroups(claims, names.groups)) {
    if (!groupsNeeded) return undefined
    throw failed(
      `This person is in more groups than the issuer puts into a token (_claim_names). Use app roles instead: assign them to the application, and set ${setting}.groups to "roles".`,
      { claim: names.groups, setting: `${setting}.groups` },
    )
  }
  const found = claimAt(claims, names.groups)
  if (found === undefined) {
    if (!groupsNeeded) return undefined
    throw failed(
      `The issuer says nothing of groups: the claim '${names.groups}' is missing. Add it to the tokens of this client there, or name the right claim in ${setting}.groups.`,
      { claim: names.groups, setting: `${setting}.groups` },
    )
  }
  const groups = typeof found === 'string' ? [found] : found
  const areNames =
    Array.isArray(groups) && groups.every((each) => typeof each === 'string' && each.length <= longestGroup)
  if (!areNames)
    throw failed(`The claim '${names.groups}' is no list of names. Name another claim in ${setting}.groups.`, {
      claim: names.groups,
      setting: `${setting}.groups`,
    })
  if (groups.length > mostGroups)
    throw failed(
      `The claim '${names.groups}' names ${groups.length} groups; at most ${mostGroups} are taken. Let the issuer name only those that matter here.`,
      { claim: names.groups, setting: `${setting}.groups`, most: mostGroups },
    )
  return [...new Set(groups as readonly string[])]
}

/** Entra's way to say that there are too many: the claim is elsewhere, and only its own API tells. */
const hasTooManyGroups = (claims: Readonly<Record<string, unknown>>, path: string): boolean =>
  claimAt(claims, path) === undefined &&
  (claims.hasgroups === true || (isRecord(claims._claim_names) && Object.hasOwn(claims._claim_names, path)))

const failed = (message: string, details?: Readonly<Record<string, unknown>>): GatewayError =>
  new GatewayError('SIGN_IN_FAILED', message, { details })
