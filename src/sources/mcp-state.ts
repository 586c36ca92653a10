import { GatewayError, isGatewayError } from '../errors.js'
import type { PeerInfo } from '../mcp/client/handshake.js'
import type { Clock } from '../model/clock.js'
import { howItStands, waitOf } from './down.js'
import type { McpLink } from './mcp-link.js'
import type { McpSourceKind, McpSourceOptions } from './mcp-source-options.js'
import type { RestartStatus } from './restart-policy.js'
import type { SourcePeer, SourceStatus } from './status.js'

// What a configuration made wrong time does not mend, but the other end of a loop may be taken away.
const loopRetryMs = 600_000
// A sandbox that this machine cannot make: somebody installs something, and says so or waits.
const machineRetryMs = 60_000

/** What a failed start means for the state, and for when it is tried again. */
export const startFailure = (
  error: unknown,
  failed: RestartStatus,
  clock: Clock,
): SourceStatus & Pick<RestartStatus, 'retryInMs'> & { readonly level: 'debug' | 'warn' } => {
  // Nothing to try again, and nothing to be told about: somebody signs in, and calls.
  if (waitsForSomebody(error))
    return { state: 'needs-auth', reason: failed.reason, nextRetryAt: undefined, retryInMs: undefined, level: 'debug' }
  return { ...failedStart(error, failed, clock), level: 'warn' }
}

const failedStart = (
  error: unknown,
  failed: RestartStatus,
  clock: Clock,
): SourceStatus & Pick<RestartStatus, 'retryInMs'> => {
  if (isGatewayError(error) && error.code === 'LOOP_DETECTED')
    return {
      state: 'needs-config',
      reason: failed.reason,
      nextRetryAt: clock.wall() + loopRetryMs,
      retryInMs: loopRetryMs,
    }
  if (isGatewayError(error) && error.details?.machine === true)
    return {
      state: 'needs-config',
      reason: failed.reason,
      nextRetryAt: clock.wall() + machineRetryMs,
      retryInMs: machineRetryMs,
    }
  return needsAuth(error) ? { ...failed, state: 'needs-auth' } : failed
}

/** It takes long to start, and it is known why; or not any more. */
export const waiting = (
  reason: string | undefined,
  { name, logger }: Pick<McpSourceOptions, 'name' | 'logger'>,
): SourceStatus => {
  if (reason !== undefined) logger.log('info', `Source '${name}' is not ready yet. ${reason}`, { source: name })
  return { state: 'starting', reason, nextRetryAt: undefined }
}

/** Nobody has signed in yet in whose name it could be asked: no failure, and no illness of the server's. */
export const waitsForSomebody = (error: unknown): boolean => isGatewayError(error) && error.details?.waits === true

/** The server wants credentials that it was not given, or not these. */
const needsAuth = (error: unknown): boolean => {
  const status = isGatewayError(error)
    ? error.details?.status
    : (error as { httpStatus?: unknown } | undefined)?.httpStatus
  return status === 401 || status === 403
}

/** It ended at the first question, which some legacy servers do before `initialize`. */
export const endedAtProbe = (error: unknown): boolean => isGatewayError(error) && error.details?.probe === true

/** What a status says of the far side, and of what keeps it. */
export const factsOf = (
  link: Pick<McpLink, 'info' | 'sessionful'> | undefined,
  { guards, sessionPerCaller }: Pick<McpSourceKind, 'guards' | 'sessionPerCaller'>,
): Pick<SourceStatus, 'peer' | 'guards' | 'keepsSession'> => ({
  peer: peerOf(link?.info),
  guards: guards?.(),
  keepsSession: (sessionPerCaller && link?.info?.era === 'legacy' && link.sessionful) || undefined,
})

const peerOf = (info: PeerInfo | undefined): SourcePeer | undefined => {
  const name = info?.serverInfo?.name
  return info && { era: info.era, version: info.version, name: typeof name === 'string' ? name : undefined }
}

/** The error of a call to a server that is not connected. */
export const notRunning = (source: string, status: SourceStatus, clock: Clock, cause?: unknown): GatewayError => {
  const waitMs = waitOf(status, clock)
  return new GatewayError('SOURCE_UNAVAILABLE', `The source '${source}' ${howItStands(status, clock)}`, {
    details: { source, state: status.state, down: true },
    notSent: true,
    cause,
    retryAfterMs: waitMs,
  })
}
