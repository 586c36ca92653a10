import { hash, randomBytes } from 'node:crypto'
import { GatewayError } from '../errors.js'
import { type HeldRole, heldRoles } from '../model/role.js'
import { type Permission, permissionOf, permissions, roleOfPermission, type StoredKey } from './key-record.js'

export interface NewKey {
  /** For people; need not be unique. */
  readonly name: string
  /** What it may do. Default: caller. */
  readonly role?: HeldRole | undefined
  /** The same in document 002's words; one of the two is enough. */
  readonly permission?: Permission | undefined
  /** Default: never. */
  readonly expiresInSeconds?: number | undefined
  readonly owner?: string | undefined
  readonly profile?: string | undefined
  /** May say for which account it asks, and is believed. Default: false. */
  readonly actsForAccounts?: boolean | undefined
}

const keyBytes = 32
const keyPattern = /^rtk_[0-9a-f]{64}$/
const maxTextChars = 128
/** A hundred years: beyond it somebody has mistaken the unit. */
const maxSeconds = 100 * 366 * 24 * 60 * 60

export const isKeyText = (text: string): boolean => keyPattern.test(text)

/** As hexadecimal text: Node makes that five times as fast as a Buffer of bytes. */
export const hashOf = (key: string): string => hash('sha256', key)

/** A fresh random key and what is kept of it. */
export const generateKey = (request: NewKey, now: number): { readonly key: string; readonly stored: StoredKey } => {
  const { expiresInSeconds, owner, profile, actsForAccounts } = request
  checkText('name', request.name)
  if (owner !== undefined) checkText('owner', owner)
  if (profile !== undefined) checkText('profile', profile)
  const role = wantedRole(request)
  checkSeconds(expiresInSeconds)
  const key = `rtk_${randomBytes(keyBytes).toString('hex')}`
  const stored: StoredKey = {
    id: randomBytes(6).toString('hex'),
    name: request.name,
    role,
    // Left out where there is none: an earlier version then refuses the key, instead of letting its holder do more.
    permission: permissionOf(role),
    hint: key.slice(0, 8),
    createdAt: now,
    expiresAt: expiresInSeconds === undefined ? undefined : now + expiresInSeconds * 1000,
    owner,
    profile,
    actsForAccounts: actsForAccounts === true ? true : undefined,
    useCount: 0,
    lastUsed: null,
    hash: hashOf(key),
  }
  return { key, stored }
}

const wantedRole = ({ role, permission }: NewKey): HeldRole => {
  if (role !== undefined && !heldRoles.includes(role)) throw invalid(`The role must be one of ${heldRoles.join(', ')}.`)
  if (permission === undefined) return role ?? 'caller'
  if (!permissions.includes(permission)) throw invalid(`The permission must be one of ${permissions.join(', ')}.`)
  const meant = roleOfPermission(permission)
  if (role !== undefined && role !== meant)
    throw invalid(`The permission '${permission}' is the role '${meant}', not '${role}'; give the role alone.`)
  return meant
}

const checkText = (field: string, value: unknown): void => {
  const fits =
    typeof value === 'string' &&
    value.trim() !== '' &&
    value.length <= maxTextChars &&
    !/\p{Cc}|\p{Surrogate}/u.test(value)
  if (!fits) throw invalid(`The ${field} of a key has 1 to ${maxTextChars} characters and no control characters.`)
}

const checkSeconds = (value: unknown): void => {
  if (value === undefined) return
  if (!Number.isSafeInteger(value) || (value as number) < 1 || (value as number) > maxSeconds)
    throw invalid('A key expires in a whole number of seconds from 1, at most a hundred years; leave it out for never.')
}

const invalid = (message: string) => new GatewayError('ARGUMENTS_INVALID', message)
