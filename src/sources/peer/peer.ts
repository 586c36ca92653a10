import type { GatewayError } from '../../errors.js'
import { unavailable } from '../../mcp/client/failure.js'
import { createLineTransport, type LineChannel } from '../../mcp/client/line-transport.js'
import { createClientPeer } from '../../mcp/client/peer.js'
import { callerStamp, fromHandedError, sessionKey } from '../../mcp/handed-over.js'
import { type Call, HandedOver } from '../../model/call.js'
import type { Caller } from '../../model/caller.js'
import type { JsonObject } from '../../model/json.js'
import { createMcpSource, type McpSource } from '../mcp-source.js'
import type { McpSourceOptions } from '../mcp-source-options.js'

export interface PeerSourceOptions extends McpSourceOptions {
  /** The replica that holds it, for messages. */
  readonly replica: string
  /** Opens a link to its face there. */
  readonly dial: (signal: AbortSignal | undefined) => Promise<LineChannel>
}

/**
 * A source that another replica holds: MCP of the modern era over a link between replicas. Who calls goes with every request,
 * since the holder counts places by caller; what was decided here is not decided there again.
 */
export const createPeerSource = ({ dial, replica, ...options }: PeerSourceOptions): McpSource => {
  const place = `replica ${replica}`
  return createMcpSource(
    {
      kind: 'peer',
      sessionPerCaller: false,
      headerParams: false,
      stamp: options.tellsSession ? withSession(stampOnce()) : stampOnce(),
      toError: fromHandedError,
      connect: async (peer, _principal, signal) =>
        createClientPeer({ ...createLineTransport(await dial(signal), { place }), onlyEra: 'modern' }, peer),
    },
    // The link is cheap to make, and who holds it may change at any moment.
    { healthCheck: false, restart: { firstDelayMs: 100, maxDelayMs: 1000 }, ...options, era: 'modern' },
  )
}

const handedOn = (): GatewayError =>
  unavailable('This replica was asked for a source that it does not hold.', {
    notSent: true,
    details: { movedTo: { holder: undefined, epoch: 0 } },
  })

const withSession =
  (stamp: (call: Call) => JsonObject): ((call: Call) => JsonObject) =>
  (call) => ({ ...stamp(call), [sessionKey]: call.session?.key ?? '' })

/** Callers are few and live long: each is written down once. */
const stampOnce = (): ((call: Call) => JsonObject) => {
  const stamps = new WeakMap<Caller, JsonObject>()
  return ({ caller, found }) => {
    // What another replica handed over to us goes no further: two that each take the other for the holder would never end.
    if (found instanceof HandedOver) throw handedOn()
    let known = stamps.get(caller)
    if (!known) stamps.set(caller, (known = callerStamp(caller)))
    return known
  }
}
