import type { Caller } from '../model/caller.js'
import { isRecord, type JsonObject } from '../model/json.js'
import { type HeldRole, heldRoles, rightsOfRole } from '../model/role.js'

export const permissions = ['read', 'write', 'admin'] as const

/** Document 002's three levels; each includes the one before. `read` may call any tool: its true name is the role `caller`. */
export type Permission = (typeof permissions)[number]

const roleByPermission: Readonly<Record<Permission, HeldRole>> = { read: 'caller', write: 'publisher', admin: 'admin' }

/** What a word of document 002 stands for. */
export const roleOfPermission = (permission: Permission): HeldRole => roleByPermission[permission]

/** Document 002's word for a role; undefined where it has none. */
export const permissionOf = (role: HeldRole): Permission | undefined =>
  permissions.find((permission) => roleByPermission[permission] === role)

/** All that is known of a key, except what it is made of. */
export interface KeyRecord {
  readonly id: string
  readonly name: string
  readonly role: HeldRole
  /** The same in document 002's word, where there is one. */
  readonly permission?: Permission | undefined
  /** How the key begins, to tell it from others. */
  readonly hint: string
  /** Milliseconds since the epoch, as all times here. */
  readonly createdAt: number
  readonly expiresAt?: number | undefined
  readonly revokedAt?: number | undefined
  readonly owner?: string | undefined
  /** The only profile this key can see; without one, every profile. */
  readonly profile?: string | undefined
  /** Its holder may say for which account it asks. */
  readonly actsForAccounts?: boolean | undefined
  readonly useCount: number
  readonly lastUsed: number | null
}

/** A record with the SHA-256 by which its key is found. A key is random in all its bits, so a slow hash would add nothing. */
export interface StoredKey extends KeyRecord {
  readonly hash: string
}

export type KeyState = 'active' | 'expired' | 'revoked'

export const stateOf = ({ revokedAt, expiresAt }: KeyRecord, now: number): KeyState => {
  if (revokedAt !== undefined) return 'revoked'
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active'
}

const callerPrefix = 'key:'

/** Who shows this key. Named by its id, so that two keys of one name stay two callers. */
export const callerOf = ({ id, name, role, profile, actsForAccounts }: KeyRecord): Caller =>
  Object.freeze({
    id: callerIdOf(id),
    name,
    kind: 'key',
    rights: rightsOfRole(role),
    profile,
    actsForAccounts,
  })

/** The id of the caller who shows the key of this id. */
export const callerIdOf = (keyId: string): string => `${callerPrefix}${keyId}`

/** The id of the key this caller showed, if one was shown. */
export const keyIdOf = ({ id }: Caller): string | undefined =>
  id.startsWith(callerPrefix) ? id.slice(callerPrefix.length) : undefined

/** A stored key as it was written, or undefined: what is not whole opens nothing. Earlier versions wrote no role. */
export const parseStoredKey = (id: string, value: unknown): StoredKey | undefined => {
  if (!isRecord(value)) return undefined
  const { name, hint, hash, createdAt, useCount, lastUsed } = value
  const role = storedRole(value)
  const whole =
    typeof name === 'string' &&
    typeof hint === 'string' &&
    role !== undefined &&
    typeof hash === 'string' &&
    /^[0-9a-f]{64}$/.test(hash) &&
    isTime(createdAt) &&
    Number.isSafeInteger(useCount) &&
    (lastUsed === null || isTime(lastUsed)) &&
    // A field that cannot be read must not make a key last longer or see more than it should.
    [value.expiresAt, value.revokedAt].every((time) => time === undefined || isTime(time)) &&
    [undefined, true, false].includes(value.actsForAccounts as boolean | undefined) &&
    [value.owner, value.profile].every((text) => text === undefined || typeof text === 'string')
  return whole ? ({ ...value, id, role } as unknown as StoredKey) : undefined
}

/** Where both words are there they must agree: a reader that knows only one of them must not read more into it. */
const storedRole = ({ role, permission }: Readonly<Record<string, unknown>>): HeldRole | undefined => {
  const known = heldRoles.find((each) => each === role)
  const old = permissions.find((each) => each === permission)
  if (role === undefined) return old && roleByPermission[old]
  return known !== undefined && (permission === undefined || permissionOf(known) === old) ? known : undefined
}

const isTime = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value)

export const toDocumentValue = ({ id: _, ...fields }: StoredKey): JsonObject => ({ ...fields })

/** What may be shown. */
export const toRecord = ({ hash: _, ...record }: StoredKey): KeyRecord => record
