import type { ClientPeer, ClientPeerOptions } from '../mcp/client/client-peer.js'
import type { Verdict } from '../mcp/client/handshake.js'
import type { Implementation } from '../mcp/message.js'
import type { Call } from '../model/call.js'
import type { Clock } from '../model/clock.js'
import type { JsonObject } from '../model/json.js'
import type { ToolSpec } from '../model/tool.js'
import type { Logger } from '../telemetry/logger.js'
import type { CallerSigning, SignedByCaller } from './caller-signing.js'
import type { LoopGuard } from './loop-guard.js'
import type { RestartOptions } from './restart-policy.js'
import type { GuardReport } from './stdio/leash/guards.js'
import type { SurfaceOffer } from './surface.js'

/** What all sources that speak MCP have in common, however they are reached. */
export interface McpSourceOptions {
  readonly name: string
  readonly clientInfo: Implementation
  readonly clock: Clock
  readonly logger: Logger
  /** Default `auto`. */
  readonly era?: 'auto' | 'legacy' | 'modern' | undefined
  /** What an earlier run found out, so that nothing is probed twice. */
  readonly verdict?: Verdict | undefined
  readonly onVerdict?: ((verdict: Verdict) => void) | undefined
  /** For the handshake and the first list together. Default 30,000. */
  readonly startTimeoutMs?: number | undefined
  /** Milliseconds. Default 30,000 and 5,000; two misses make it unhealthy, one answer healthy. */
  readonly healthCheck?: { readonly interval: number; readonly timeout: number } | false | undefined
  /** Sleep until a tool is called; `knownTools` stay listed meanwhile. */
  readonly startOnDemand?: boolean | undefined
  /** The list of an earlier run, shown until the server itself has spoken. */
  readonly knownTools?: readonly ToolSpec[] | undefined
  /** The same of what it offers besides tools. */
  readonly knownOffer?: SurfaceOffer | undefined
  /** Stop after so long without a call; the tools stay listed. */
  readonly idleStopMs?: number | undefined
  /** Tools by their own names; `*` is any text. */
  readonly includeTools?: readonly string[] | undefined
  readonly excludeTools?: readonly string[] | undefined
  /** Who sees to it that this is not the gateway itself. */
  readonly loop?: LoopGuard | undefined
  readonly restart?: Omit<RestartOptions, 'clock'> | undefined
  /** Of one that another replica runs: it is told by which client session a call came in, since it keeps those apart. */
  readonly tellsSession?: boolean | undefined
}

/**
 * One connection to the far side. `principal` is whose legacy session it is; undefined for our own. `signal` gives up a
 * connection that takes long to be made.
 */
export type Connect = (
  options: ClientPeerOptions,
  principal: string | undefined,
  signal?: AbortSignal,
  /** In whose name, where the far side is told. */
  signing?: Pick<CallerSigning, 'headers' | 'credentials'>,
) => Promise<ClientPeer>

export interface McpSourceKind {
  readonly kind: string
  readonly connect: Connect
  /** Where it is, if that is an address. */
  readonly url?: string | undefined
  /** Legacy sessions hold state that callers must not share. A process cannot be had per caller, a session can. */
  readonly sessionPerCaller: boolean
  /** In whose name each request is made; undefined where the far side does not care. */
  readonly signing?: SignedByCaller | undefined
  /** Mirrors arguments into headers, so that tools whose annotations break the rules cannot be called. */
  readonly headerParams: boolean
  /** What goes with each request of a caller, beside what the caller said: between replicas, who that is. */
  readonly stamp?: ((call: Call) => JsonObject) | undefined
  /** What a failure means, where the far side says more than a server would. */
  readonly toError?: ((error: unknown) => unknown) | undefined
  /** What its processes are kept by. */
  readonly guards?: (() => GuardReport | undefined) | undefined
  /** Frees what connections share. */
  readonly dispose?: (() => Promise<void>) | undefined
}
