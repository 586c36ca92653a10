import { type ErrorCode, errorCodes, GatewayError, isGatewayError } from '../errors.js'
import type { Caller, CallerKind, Identity, Right } from '../model/caller.js'
import { isRecord, type JsonObject } from '../model/json.js'
import { everyRight } from '../model/role.js'
import { isRpcError, RpcError, rpcCodes } from './rpc-error.js'

/** The `_meta` key by which one replica tells another whose call it hands over. Nobody else is believed about it. */
export const callerKey = 'pegboard/caller'

/**
 * The `_meta` key of a client session: by it a client without one says which of its caller's it is, and a replica tells
 * another by which one a call came in.
 */
export const sessionKey = 'pegboard/session'

/** A caller as it goes to another replica. */
export const callerStamp = (caller: Caller): JsonObject => ({ [callerKey]: caller }) as unknown as JsonObject

const knownRights: ReadonlySet<unknown> = new Set<Right>(everyRight)
const knownKinds: ReadonlySet<unknown> = new Set<CallerKind>(['person', 'machine', 'key', 'local', 'anonymous'])

/** The caller that came so; undefined where none did. Another version may know rights that nobody has here. */
export const readCaller = (value: unknown): Caller | undefined => {
  if (!isRecord(value)) return undefined
  const { id, rights, profile, profiles, actsForAccounts, kind, identity, client, session, limits } = value
  if (typeof id !== 'string' || !Array.isArray(rights)) return undefined
  return {
    id,
    rights: rights.every((right) => knownRights.has(right)) ? rights : rights.filter((right) => knownRights.has(right)),
    profile: textOf(profile),
    profiles: Array.isArray(profiles) ? profiles.filter((each) => typeof each === 'string') : undefined,
    actsForAccounts: actsForAccounts === true ? true : undefined,
    kind: knownKinds.has(kind) ? (kind as CallerKind) : undefined,
    identity: isIdentity(identity) ? identity : undefined,
    client: textOf(client),
    session: textOf(session),
    limits: isRecord(limits) ? limits : undefined,
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const isIdentity = (value: unknown): value is Identity =>
  isRecord(value) && [value.id, value.issuer, value.subject].every((each) => typeof each === 'string')

/** A failure at the holder, for the replica that asked: with all that its own steps decide by. */
export const toHandedError = (error: unknown): RpcError => {
  if (isRpcError(error)) return error
  // What a server refused itself passes as it is.
  if (isGatewayError(error) && error.code === 'TOOL_FAILED' && isRpcError(error.cause)) return error.cause
  if (!isGatewayError(error)) return new RpcError(rpcCodes.internalError, 'The replica failed to answer.')
  const { code, message, details, notSent, retryAfterMs } = error
  return new RpcError(rpcCodes.internalError, message, {
    data: { [failureKey]: { code, details, notSent, retryAfterMs } },
  })
}

const failureKey = 'pegboard/failure'

/** The same at the replica that asked: as if it had happened there. */
export const fromHandedError = (error: unknown): unknown => {
  const failure = isRpcError(error) && isRecord(error.data) ? error.data[failureKey] : undefined
  if (!isRecord(failure)) return error
  const { code, details, notSent, retryAfterMs } = failure
  return new GatewayError(
    (errorCodes as readonly unknown[]).includes(code) ? (code as ErrorCode) : 'INTERNAL',
    (error as RpcError).message,
    {
      details: isRecord(details) ? details : undefined,
      notSent: notSent === true,
      retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : undefined,
    },
  )
}
