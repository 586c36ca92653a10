import { GatewayError, isGatewayError } from '../errors.js'
import type { ClientPeer } from '../mcp/client/client-peer.js'
import type { PeerInfo } from '../mcp/client/handshake.js'
import type { HeaderParam } from '../mcp/headers.js'
import type { RpcNotification } from '../mcp/message.js'
import type { CancelSignal } from '../model/cancel.js'
import type { Clock } from '../model/clock.js'
import type { JsonObject } from '../model/json.js'
import { type Answer, resultAnswer, type ToolResult } from '../model/result.js'
import { howItStands, waitOf } from './down.js'
import { askMcp } from './mcp-ask.js'
import type { RestartStatus } from './restart-policy.js'
import type { SourceCall } from './source.js'
import type { SourcePeer, SourceStatus } from './status.js'
import type { SurfaceCall } from './surface.js'

export interface McpToolCall {
  readonly name: string
  readonly args: JsonObject
  readonly context: SourceCall
  readonly headerParams: readonly HeaderParam[] | undefined
  readonly onNotification: (message: RpcNotification) => void
}

/** `tools/call` on a peer; its result as it came, unknown fields and all. */
export const callMcpTool = (peer: ClientPeer, tool: McpToolCall): Promise<Answer> => {
  const { name, args, context, headerParams, onNotification } = tool
  const call = new ToolSurfaceCall(context)
  const params = { name, arguments: args }
  return askMcp(peer, { method: 'tools/call', params, call, headerParams, onNotification }).then((result) =>
    resultAnswer(asToolResult(result, name, call)),
  )
}

/** A class, since an object literal with a getter would keep every call alive until the next full collection. */
class ToolSurfaceCall implements SurfaceCall {
  readonly #context: SourceCall
  readonly onProgress: SurfaceCall['onProgress']

  constructor(context: SourceCall) {
    this.#context = context
    this.onProgress = context.call.onProgress && ((progress) => context.reportProgress(progress))
  }

  get caller() {
    return this.#context.call.caller
  }

  get meta() {
    return this.#context.call.meta
  }

  get asking() {
    return this.#context.call.asking
  }

  get signal(): CancelSignal {
    return this.#context.cancel
  }

  pause(): () => void {
    return this.#context.pause?.() ?? (() => {})
  }
}

const asToolResult = (result: JsonObject, tool: string, { asking }: SurfaceCall): ToolResult => {
  // A caller who takes rounds also takes what an extension it declared answers with: a task, for one.
  if (result.resultType !== undefined && result.resultType !== 'complete' && asking?.rounds)
    return { ...result, content: [] } as unknown as ToolResult
  if (result.resultType !== undefined && result.resultType !== 'complete')
    throw new GatewayError(
      'RESULT_INVALID',
      `'${tool}' answered with '${String(result.resultType).slice(0, 40)}', which this caller cannot take.`,
    )
  if (Array.isArray(result.content)) return result as unknown as ToolResult
  // Structured content alone is within the spec's words; a list of nothing makes it whole for everybody.
  if (result.structuredContent !== undefined) return { ...result, content: [] } as unknown as ToolResult
  throw new GatewayError('RESULT_INVALID', `'${tool}' answered without \`content\`.`)
}

// What a configuration made wrong time does not mend, but the other end of a loop may be taken away.
const loopRetryMs = 600_000

/** What a failed start means for the state, and for when it is tried again. */
export const startFailure = (
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
  return needsAuth(error) ? { ...failed, state: 'needs-auth' } : failed
}

/** The server wants credentials that it was not given, or not these. */
const needsAuth = (error: unknown): boolean => {
  const status = isGatewayError(error)
    ? error.details?.status
    : (error as { httpStatus?: unknown } | undefined)?.httpStatus
  return status === 401 || status === 403
}

/** It ended at the first question, which some legacy servers do before `initialize`. */
export const endedAtProbe = (error: unknown): boolean => isGatewayError(error) && error.details?.probe === true

/** Era, version and name of the server, for the source's status. */
export const peerOf = (info: PeerInfo | undefined): SourcePeer | undefined => {
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
