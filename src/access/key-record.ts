import type { Caller, Right } from '../model/caller.js'
import { isRecord, type JsonObject } from '../model/json.js'
import { rightsOfRole } from '../model/role.js'

export const permissions = ['read', 'write', 'admin'] as const

/** What a key may do, in document 002's three levels; each includes the one before. */
export type Permission = (typeof permissions)[number]

/** All that is known of a key, except what it is made of. */
export interface KeyRecord {
  readonly id: string
  readonly name: string
  readonly permission: Permission
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

const rights: Readonly<Record<Permission, readonly Right[]>> = {
  read: rightsOfRole('caller'),
  write: rightsOfRole('publisher'),
  admin: rightsOfRole('admin'),
}

/** What a permission is made of. */
export const rightsOf = (permission: Permission): readonly Right[] => rights[permission]

const callerPrefix = 'key:'

/** Who shows this key. Named by its id, so that two keys of one name stay two callers. */
export const callerOf = ({ id, permission, profile, actsForAccounts }: KeyRecord): Caller =>
  Object.freeze({
    id: callerIdOf(id),
    kind: 'key',
    rights: rights[permission],
    profile,
    actsForAccounts,
  })

/** The id of the caller who shows the key of this id. */
export const callerIdOf = (keyId: string): string => `${callerPrefix}${keyId}`

/** The id of the key this caller showed, if one was shown. */
export const keyIdOf = ({ id }: Caller): string | undefined =>
  id.startsWith(callerPrefix) ? id.slice(callerPrefix.length) : undefined

/** A stored key as it was written, or undefined: what is not whole opens nothing. */
export const parseStoredKey = (id: string, value: unknown): StoredKey | undefined => {
  if (!isRecord(value)) return undefined
  const { name, permission, hint, hash, createdAt, useCount, lastUsed } = value
  const whole =
    typeof name === 'string' &&
    typeof hint === 'string' &&
    permissions.includes(permission as Permission) &&
    typeof hash === 'string' &&
    /^[0-9a-f]{64}$/.test(hash) &&
    isTime(createdAt) &&
    Number.isSafeInteger(useCount) &&
    (lastUsed === null || isTime(lastUsed)) &&
    // A field that cannot be read must not make a key last longer or see more than it should.
    [value.expiresAt, value.revokedAt].every((time) => time === undefined || isTime(time)) &&
    [undefined, true, false].includes(value.actsForAccounts as boolean | undefined) &&
    [value.owner, value.profile].every((text) => text === undefined || typeof text === 'string')
  return whole ? ({ ...value, id } as unknown as StoredKey) : undefined
}

const isTime = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value)

export const toDocumentValue = ({ id: _, ...fields }: StoredKey): JsonObject => ({ ...fields })

/** What may be shown. */
export const toRecord = ({ hash: _, ...record }: StoredKey): KeyRecord => record
