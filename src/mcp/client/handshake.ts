import { GatewayError, isGatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import { type Era, isLegacyVersion, isModernVersion, latestLegacyVersion, latestModernVersion } from '../eras.js'
import { requestHeaders } from '../headers.js'
import { type Implementation, metaKeys, metaOf, stampRequest, tasksExtension } from '../message.js'
import { isModernCode, isRpcError, rpcCodes } from '../rpc-error.js'
import type { Conversation } from './conversation.js'
import { invalidAnswer, unavailable } from './failure.js'
import { isRefusal } from './http-answer.js'
import type { AskOptions } from './pending.js'
import type { ClientTransport } from './transport.js'

/** The era of a source as it was found, to be kept over restarts: it is a property of the source, not of a connection. */
export interface Verdict {
  readonly era: Era
  readonly version: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** What a source says about itself, in either era. */
export interface PeerInfo {
  readonly era: Era
  readonly version: string
  readonly capabilities: JsonObject
  readonly serverInfo: JsonObject | undefined
  readonly instructions: string | undefined
  /** The whole answer to `initialize` or `server/discover`. */
  readonly raw: JsonObject
}

export interface HandshakeOptions {
  readonly transport: ClientTransport
  readonly conversation: Conversation
  readonly clock: Clock
  readonly era: Era | 'auto'
  readonly verdict: Verdict | undefined
  readonly clientInfo: Implementation
  readonly capabilities: JsonObject
  /** How long a process may be silent before `initialize` is sent too. */
  readonly probeTimeoutMs: number
  readonly timeoutMs: number
}

/**
 * Finds the era of a source and begins to speak it.
 *
 *   answer to `server/discover`              verdict
 *   versions with one of ours                modern (only that: a shim may answer and still speak legacy)
 *   -32020, -32021, input_required           modern
 *   any other error; 4xx                     legacy
 *   silence on a pipe                        whichever of this and `initialize` is answered first
 *   modern on a pipe, `initialize` too       legacy, unless it offers tasks: see `eraOfPipe`
 *   401 403 408 429 5xx, timeouts on HTTP    none: the error is passed on and nothing is remembered
 */
export const shakeHands = async (options: HandshakeOptions): Promise<PeerInfo> => {
  const only = options.transport.onlyEra ?? (options.era === 'auto' ? undefined : options.era)
  if (only === 'legacy') return initialize(options)
  if (only === 'modern') return requireModern(await discover(options))
  if (options.verdict?.era === 'legacy') return initializeOrDiscover(options)
  return options.transport.perRequest ? ((await discover(options)) ?? initialize(options)) : probePipe(options)
}

/**
 * On a pipe silence says little: the process may still be starting, and some servers never answer what they do not know.
 * After the probe's time both questions are out. A process reads in order, so one that knows both answers the first.
 */
const probePipe = async (options: HandshakeOptions): Promise<PeerInfo> => {
  const decided = new AbortController()
  let stopWaiting = () => {}
  const silence = new Promise<undefined>((resolve) => {
    stopWaiting = options.clock.after(Math.min(options.probeTimeoutMs, options.timeoutMs), () => resolve(undefined))
  })
  const modern = discover(options, decided.signal).then((info) => ({ info }))
  try {
    const early = await Promise.race([modern, silence])
    if (early) return await (early.info ? eraOfPipe(options, early.info) : initialize(options))
    const legacy = initialize(options)
    const first = modern.then(({ info }) => (info ? eraOfPipe(options, info, legacy) : legacy))
    // An error to `initialize` is no verdict while the other question is open: a modern-only server refuses it.
    return await Promise.race([first, legacy.catch(() => first)])
  } finally {
    modern.catch(() => {})
    stopWaiting()
    decided.abort()
  }
}

// A server that answered one question answers the next at once, or builds its legacy side first.
const secondQuestionMs = 10_000

/**
 * A pipe carries one era, for all callers of the process: what follows `server/discover` decides, for good. A server of
 * both eras is spoken to in legacy, because that serves callers of both: what it asks of a legacy caller reaches them,
 * and a modern caller's call is parked meanwhile. The other way round its legacy questions would fail. A second process
 * for the other era would divide what the first remembers. Only tasks exist in the modern era alone.
 */
const eraOfPipe = async (options: HandshakeOptions, modern: PeerInfo, asked?: Promise<PeerInfo>): Promise<PeerInfo> => {
  if (!asked && toObject(modern.capabilities.extensions)?.[tasksExtension] !== undefined) return modern
  const legacy = asked ?? initialize(options)
  return new Promise((resolve) => {
    const decide = (info: PeerInfo): void => {
      stopWaiting()
      resolve(info)
    }
    const stopWaiting = options.clock.after(secondQuestionMs, () => resolve(modern))
    // One that ends at it is found gone by whatever is asked next.
    legacy.then(decide, () => decide(modern))
  })
}

// The remembered verdict may be old: a source that was upgraded refuses initialize, and is then asked the modern way once.
const initializeOrDiscover = async (options: HandshakeOptions): Promise<PeerInfo> => {
  try {
    return await initialize(options)
  } catch (error) {
    if (!isRpcError(error) || isRefusal(error.httpStatus)) throw error
    const info = await discover(options)
    if (info) return info
    throw error
  }
}

/** The modern source, or undefined for a legacy one. */
const discover = async (
  options: HandshakeOptions,
  signal?: AbortSignal,
  proposed?: string,
): Promise<PeerInfo | undefined> => {
  const { conversation, transport } = options
  const version = proposed ?? latestModernVersion
  const stamp = { version, capabilities: options.capabilities, clientInfo: options.clientInfo }
  const askOptions: AskOptions = {
    timeoutMs: options.timeoutMs,
    signal,
    headers: requestHeaders({ version, method: 'server/discover', params: undefined }),
    cancelBy: transport.perRequest ? 'closing' : 'nothing',
  }
  try {
    const answer = await conversation.ask('server/discover', { _meta: stampRequest(undefined, stamp) }, askOptions)
    return modernInfo(answer.result)
  } catch (error) {
    const other = proposed === undefined ? proposedVersion(error) : undefined
    return other === undefined ? judgeFailure(error, options) : discover(options, signal, other)
  }
}

/** A version of ours that a server names when it refuses the one we began with. Asked for once, whatever it says then. */
const proposedVersion = (error: unknown): string | undefined => {
  if (!isRpcError(error) || error.code !== rpcCodes.unsupportedVersion) return undefined
  const supported = toObject(error.data)?.supported
  return Array.isArray(supported) ? supported.findLast(isModernVersion) : undefined
}

const modernInfo = (result: unknown): PeerInfo | undefined => {
  const raw = toObject(result)
  const versions = Array.isArray(raw?.supportedVersions) ? raw.supportedVersions : []
  const version =
    versions.findLast(isModernVersion) ?? (raw?.resultType === 'input_required' ? latestModernVersion : undefined)
  if (!raw || version === undefined) return undefined
  return toInfo('modern', version, raw, toObject(metaOf(raw)?.[metaKeys.serverInfo]) ?? toObject(raw.serverInfo))
}

const judgeFailure = (error: unknown, { transport }: HandshakeOptions): PeerInfo | undefined => {
  if (isRpcError(error)) {
    if (isRefusal(error.httpStatus)) throw error
    // It speaks the modern way, but no revision of ours; a dual-era source may still take initialize.
    const speaksOther = error.code === rpcCodes.unsupportedVersion
    return isModernCode(error.code) && !speaksOther ? toInfo('modern', latestModernVersion, {}, undefined) : undefined
  }
  if (!isGatewayError(error)) throw error
  const status = error.details?.status
  if (typeof status === 'number' && status < 500 && !isRefusal(status)) return undefined
  if (error.code === 'DEADLINE_EXCEEDED' && !transport.perRequest) return undefined
  if (error.code === 'RESULT_INVALID') return undefined
  // Some legacy processes end at a question before initialize; `probe` lets the owner start it again as legacy.
  throw new GatewayError(error.code, error.message, {
    cause: error,
    details: { ...error.details, probe: true },
    notSent: true,
    retryAfterMs: error.retryAfterMs,
  })
}

const initialize = async (options: HandshakeOptions): Promise<PeerInfo> => {
  const { conversation, transport } = options
  const params = {
    protocolVersion: latestLegacyVersion,
    capabilities: options.capabilities,
    clientInfo: options.clientInfo,
  }
  const { result } = await conversation.ask('initialize', params, {
    timeoutMs: options.timeoutMs,
    startsSession: true,
    cancelBy: 'nothing',
  })
  const raw = toObject(result)
  const version = raw?.protocolVersion
  if (!raw || typeof version !== 'string')
    throw invalidAnswer('The source answered initialize without a protocol version.')
  if (!isLegacyVersion(version)) {
    throw unavailable(`The source speaks protocol version ${version.slice(0, 32)}, which is not supported.`)
  }
  transport.sessionReady?.(legacyHeaders(version))
  return toInfo('legacy', version, raw, toObject(raw.serverInfo))
}

/** Every legacy HTTP request after `initialize` names the agreed version. */
export const legacyHeaders = (version: string): Readonly<Record<string, string>> => ({
  'MCP-Protocol-Version': version,
})

const requireModern = (info: PeerInfo | undefined): PeerInfo => {
  if (info) return info
  throw unavailable('The source does not speak the modern protocol: set its era to "auto" or "legacy".', {
    notSent: true,
  })
}

const toInfo = (era: Era, version: string, raw: JsonObject, serverInfo: JsonObject | undefined): PeerInfo => ({
  era,
  version,
  capabilities: toObject(raw.capabilities) ?? {},
  serverInfo,
  instructions: typeof raw.instructions === 'string' ? raw.instructions : undefined,
  raw,
})

const toObject = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
