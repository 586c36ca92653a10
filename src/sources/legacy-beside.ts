import { isGatewayError } from '../errors.js'
import type { ClientPeer } from '../mcp/client/client-peer.js'
import { isRpcError } from '../mcp/rpc-error.js'
import type { Asking } from '../model/asking.js'
import { type CancelSignal, until } from '../model/cancel.js'
import type { Clock } from '../model/clock.js'
import { listMcpTools, type NamedFilter } from './mcp-tools.js'

/** Legacy sessions beside a modern link, for callers who can only be asked in the legacy way (B5). */
export interface LegacyBeside {
  /** The session for this, or undefined where the modern link serves better. Never rejects but by the signal. */
  of(request: BesideRequest): Promise<ClientPeer | undefined>
  /** Tools may have come or gone. */
  relist(): void
}

export interface BesideRequest {
  /** The caller's session, which connects with its first request. */
  session(): Promise<ClientPeer>
  /** Undefined for anything but a tool's call. */
  readonly tool: string | undefined
  readonly signal: CancelSignal
}

// A server that could not be reached the legacy way is tried again then; one that refused it, with the next link.
const tryAgainMs = 60_000
const mayAsk: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])

/** Whether a server might ask this caller something during this request, and could do so in the legacy way alone. */
export const wantsLegacy = (method: string, asking: Asking | undefined): boolean =>
  asking !== undefined &&
  asking.rounds === undefined &&
  mayAsk.has(method) &&
  (asking.capabilities.elicitation !== undefined ||
    asking.capabilities.sampling !== undefined ||
    asking.capabilities.roots !== undefined)

export const createLegacyBeside = (clock: Clock, filter: NamedFilter): LegacyBeside => {
  let notBefore = Number.NEGATIVE_INFINITY
  let names: Promise<ReadonlySet<string>> | undefined

  const refuse = (forMs: number): undefined => {
    notBefore = clock.now() + forMs
    return undefined
  }
  const listed = (peer: ClientPeer): Promise<ReadonlySet<string>> => {
    names ??= listMcpTools(peer, filter, false).then(
      ({ update }) => new Set(update.tools.map(({ definition }) => definition.name)),
    )
    names.catch(() => {
      names = undefined
    })
    return names
  }
  const find = async ({ session, tool }: BesideRequest): Promise<ClientPeer | undefined> => {
    try {
      const peer = await session()
      await peer.connect()
      // Stateless legacy serving has no way back to the caller; the modern way has, where the tool knows it.
      if (!peer.sessionful) return refuse(Number.POSITIVE_INFINITY)
      return tool === undefined || (await listed(peer)).has(tool) ? peer : undefined
    } catch (error) {
      return refuse(isRefusal(error) ? Number.POSITIVE_INFINITY : tryAgainMs)
    }
  }

  return {
    of: async (request) => (clock.now() < notBefore ? undefined : until(find(request), request.signal)),
    relist: () => {
      names = undefined
    },
  }
}

/** The server answered, and not as one that speaks legacy. */
const isRefusal = (error: unknown): boolean =>
  isRpcError(error) ||
  (isGatewayError(error) && typeof error.details?.status === 'number' && error.details.status < 500)
