import type { Identity } from '../model/caller.js'
import { isRecord, type JsonObject } from '../model/json.js'
import type { SessionSecrets, SignInSession } from './sessions.js'

/** A session as it was written, or undefined: what is not whole signs nobody in. */
export const parseSession = (id: string, value: unknown): SignInSession | undefined => {
  if (!isRecord(value)) return undefined
  const {
    kind,
    identity,
    providerSession,
    keyId,
    client,
    resource,
    scope,
    shownAgain,
    isAskable,
    checkingUntil,
    renewedAt,
  } = value
  const whole =
    (kind === 'client' || kind === 'console') &&
    (identity === undefined ? isText(keyId) : isIdentity(identity)) &&
    [providerSession, keyId, resource, scope].every((text) => text === undefined || isText(text)) &&
    (client === undefined || (isRecord(client) && isText(client.id) && isText(client.name))) &&
    // A time that cannot be read must not make a session last longer than it should.
    [value.createdAt, value.lastUsedAt, value.endsAt, value.checkedAt, value.generation].every(isCount) &&
    [checkingUntil, renewedAt].every((time) => time === undefined || isCount(time)) &&
    [shownAgain, isAskable].every((flag) => flag === undefined || typeof flag === 'boolean')
  return whole ? Object.freeze({ ...value, id } as unknown as SignInSession) : undefined
}

export const isIdentity = (value: unknown): value is Identity =>
  isRecord(value) &&
  [value.id, value.issuer, value.subject].every(isText) &&
  [value.name, value.email].every((text) => text === undefined || isText(text)) &&
  (value.groups === undefined || (Array.isArray(value.groups) && value.groups.every(isText)))

const isText = (value: unknown): value is string => typeof value === 'string'

export const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

export const toSessionValue = ({ id: _, ...fields }: SignInSession): JsonObject => fields as unknown as JsonObject

/** Whose it is, for those who count or end them together. */
export const holderOf = ({ identity, keyId }: Pick<SignInSession, 'identity' | 'keyId'>): string =>
  identity?.id ?? `key:${keyId}`

export const parseSecrets = (value: unknown): SessionSecrets | undefined => {
  if (!isRecord(value)) return undefined
  const { refreshToken, accessToken, idToken, expiresAt } = value
  const texts = [refreshToken, accessToken, idToken].every((text) => text === undefined || isText(text))
  return texts && (expiresAt === undefined || isCount(expiresAt)) ? (value as SessionSecrets) : undefined
}
