import { messageOf } from '../errors.js'
import { keptCapabilities } from '../mcp/capabilities.js'
import type { ClientPeer, ClientPeerOptions, RequestOptions } from '../mcp/client/client-peer.js'
import type { PeerInfo } from '../mcp/client/handshake.js'
import type { RequestHandler } from '../mcp/client/inbound.js'
import type { Listing } from '../mcp/client/paging.js'
import { gatewaysKey } from '../mcp/gateways.js'
import type { HeaderParam } from '../mcp/headers.js'
import type { RpcNotification } from '../mcp/message.js'
import { isRpcError, RpcError, rpcCodes } from '../mcp/rpc-error.js'
import type { Call } from '../model/call.js'
import type { CancelSignal } from '../model/cancel.js'
import { createNamedTimers } from '../model/clock.js'
import type { JsonObject } from '../model/json.js'
import { type CallerSessions, createCallerSessions } from './caller-sessions.js'
import type { CallerSigning } from './caller-signing.js'
import { createLegacyBeside, wantsLegacy } from './legacy-beside.js'
import { askMcp, type ReadAnswer } from './mcp-ask.js'
import type { McpSourceKind, McpSourceOptions } from './mcp-source-options.js'
import { waitsForSomebody } from './mcp-state.js'
import { listMcpTools } from './mcp-tools.js'
import type { SourceCall, SourceUpdate } from './source.js'

export interface McpLink {
  readonly info: PeerInfo | undefined
  /** A legacy server that gave us a session. */
  readonly sessionful: boolean
  /** Calls that are on their way. */
  readonly running: number
  /** A request on behalf of a caller, and what is read of its answer. */
  ask<T>(request: LinkRequest, context: SourceCall, read: ReadAnswer<T>): Promise<T>
  /** A request of our own, on the connection that everybody shares. */
  own(method: string, params: JsonObject): Promise<JsonObject>
  /** All pages of a list, as the server gives it to us. */
  listAll(method: string, key: string): Promise<Listing>
  /** Keeps a modern server's announcements coming; see `ClientPeer.listen`. */
  listen(notifications: JsonObject): () => void
  /** One modern stream with a listener of its own. Ends with the server or with the signal; never rejects. */
  stream(notifications: JsonObject, onNotification: (message: RpcNotification) => void, signal: AbortSignal): void
  /** Does it answer within this time? */
  answers(timeoutMs: number): Promise<boolean>
  /** Reads the list again and reports it. */
  list(): Promise<void>
  close(): Promise<void>
}

export interface LinkRequest {
  readonly method: string
  readonly params: JsonObject
  /** The tool that `tools/call` names; undefined for everything else. */
  readonly tool?: string | undefined
}

export interface McpLinkEvents {
  readonly peerOptions: ClientPeerOptions
  /** Gives up opening it. Once it is open, `close` ends it. */
  readonly signal: AbortSignal
  onTools(update: SourceUpdate): void
  /** It takes long to open, and why; undefined when that is over. */
  onWaiting?(reason: string | undefined): void
  /** Everything announced that is not about tools. */
  onNotification(message: RpcNotification): void
  /** Announcements may have been missed. */
  onResync(): void
  /** The far side ended it. Not called for `close`. */
  onLost(reason: string): void
}

// A server that announces changes without end is listed once a second (F32).
const relistMs = 1000

/** One living connection to a server: its list, its announcements, its sessions by caller. Opened whole or not at all. */
export const openMcpLink = async (
  how: McpSourceKind,
  options: McpSourceOptions,
  events: McpLinkEvents,
): Promise<McpLink> => {
  const timers = createNamedTimers<'relist'>(options.clock)
  let headerParams: ReadonlyMap<string, readonly HeaderParam[]> = new Map()
  let sessions: CallerSessions<CallerSigning> | undefined
  let running = 0
  let state: 'opening' | 'open' | 'closed' = 'opening'
  let listAgain = false
  let isGateway = false

  /** A gateway may come to lead back to us later: whoever mounts what is told again. */
  const admitAgain = async (request: RequestOptions = {}): Promise<void> => {
    const method = peer.info?.era === 'modern' ? 'server/discover' : 'ping'
    const said = await peer.request(method, undefined, { ...request, meta: { [gatewaysKey]: true } })
    try {
      options.loop?.admit(options.name, said)
    } catch (error) {
      await close()
      events.onLost(messageOf(error))
      throw error
    }
  }
  const list = async (): Promise<void> => {
    if (state === 'open' && isGateway) await admitAgain()
    const mirrors = how.headerParams && peer.info?.era === 'modern'
    const listed = await listMcpTools(peer, options, mirrors)
    if (state === 'closed') return
    headerParams = listed.headerParams
    events.onTools(listed.update)
  }
  const relistSoon = (): void => {
    listAgain = true
    if (state !== 'open' || timers.has('relist')) return
    listAgain = false
    timers.set('relist', relistMs, () => listAgain && relistSoon())
    list().catch((error: unknown) =>
      options.logger.log('warn', `The new tool list of '${options.name}' could not be read: ${messageOf(error)}`),
    )
  }
  const sessionsHere = (): CallerSessions<CallerSigning> => {
    sessions ??= createCallerSessions<CallerSigning>({
      clock: options.clock,
      make: (key, onClose, signing) => {
        const [principal, capabilities, era] = JSON.parse(key) as [string, JsonObject, 'legacy' | 'modern']
        const common =
          peer.info?.era === 'modern' && era === 'legacy' ? asLegacy(events.peerOptions) : events.peerOptions
        const own = { ...common, capabilities, onNotification: noticed, onRequest: answerOutside, onClose }
        return how.connect(own, principal, undefined, signing)
      },
    })
    return sessions
  }
  /** A legacy session says once what its client can do, so callers who can do different things need different ones. */
  const sessionOf = ({ caller, asking }: Asker, signing?: CallerSigning): Promise<ClientPeer> => {
    const key = [caller.id, keptCapabilities(asking?.capabilities ?? {}), 'legacy', signing?.mark]
    return sessionsHere().of(JSON.stringify(key), signing?.identity.id ?? caller.id, signing)
  }
  /** One that is signed by what is the caller's own: no other's request ever goes by it. */
  const signedPeer = (asker: Asker, signing: CallerSigning): Promise<ClientPeer> => {
    if (peer.info?.era !== 'modern') return sessionOf(asker, signing)
    const key = JSON.stringify([asker.caller.id, everything, 'modern', signing.mark])
    return sessionsHere().of(key, signing.identity.id, signing)
  }
  const beside = createLegacyBeside(options.clock, options)
  const peerFor = (asker: Asker, method: string, tool: string | undefined, signal: CancelSignal) => {
    if (how.signing) return how.signing.of(asker.caller).then((signing) => signedPeer(asker, signing))
    if (!how.sessionPerCaller) return peer
    if (peer.info?.era !== 'modern') return sessionOf(asker)
    if (options.era === 'modern' || !wantsLegacy(method, asker.asking)) return peer
    return beside.of({ session: () => sessionOf(asker), tool, signal }).then((found) => found ?? peer)
  }
  const noticed = (message: RpcNotification): void => {
    if (message.method === 'notifications/tools/list_changed') {
      beside.relist()
      relistSoon()
    } else events.onNotification(message)
  }
  const close = async (): Promise<void> => {
    state = 'closed'
    timers.clearAll()
    options.loop?.leave(options.name)
    leaveNews?.()
    await Promise.allSettled([peer.close(), sessions?.close()])
  }
  const leaveNews = how.signing?.personal?.onNews((identity) => sessions?.end(identity))

  if (how.url !== undefined) options.loop?.checkAddress(options.name, how.url)
  const peer = await how.connect(
    {
      ...events.peerOptions,
      // Lists depend on what we say we can do; what one caller cannot is refused when it is asked for.
      capabilities: everything,
      onWaiting: (reason) => events.onWaiting?.(reason),
      onNotification: noticed,
      onRequest: answerOutside,
      onResync: () => {
        relistSoon()
        events.onResync()
      },
      onClose: (reason) => {
        if (state === 'open') events.onLost(reason?.message ?? 'The connection was closed.')
      },
    },
    undefined,
    events.signal,
  )
  // What waits for an answer is refused by closing, and the failure leads to `close` below.
  const giveUp = (): void => void peer.close()
  events.signal.addEventListener('abort', giveUp, { once: true })
  try {
    events.signal.throwIfAborted()
    const info = await peer.connect()
    isGateway = options.loop?.admit(options.name, info.raw) ?? false
    // Before the list is read: what changes between the two would never be heard of.
    if (info.era === 'modern') peer.listen({ toolsListChanged: true })
    await list()
  } catch (error) {
    await close()
    throw error
  } finally {
    events.signal.removeEventListener('abort', giveUp)
  }
  state = 'open'
  if (listAgain) relistSoon()

  const onEnd = (): void => {
    running -= 1
  }
  const askOn = <T>(own: ClientPeer, request: LinkRequest, context: SourceCall, read: ReadAnswer<T>): Promise<T> => {
    const { method, params, tool } = request
    const mirrored = tool === undefined ? undefined : headerParams.get(tool)
    const told = { headerParams: mirrored, onNotification: noticed, onEnd, how }
    return askMcp(own, { method, params, context, tool, ...told }, read)
  }

  return {
    get info() {
      return peer.info
    },
    get sessionful() {
      return peer.sessionful
    },
    get running() {
      return running
    },
    ask: (request, context, read) => {
      const found = peerFor(context.call, request.method, request.tool, context.cancel)
      running += 1
      // No promise where none is needed: every call pays for each.
      if (!(found instanceof Promise)) return askOn(found, request, context, read)
      return found.then(
        (own) => askOn(own, request, context, read),
        (error) => {
          onEnd()
          throw error
        },
      )
    },
    own: (method, params) => peer.request(method, params),
    listAll: (method, key) => peer.listAll(method, key),
    listen: (notifications) => peer.listen(notifications),
    stream: (notifications, onNotification, signal) => {
      const endless = { timeoutMs: Number.POSITIVE_INFINITY, signal, onNotification }
      peer.request('subscriptions/listen', { notifications }, endless).catch(() => {})
    },
    answers: (timeoutMs) =>
      (isGateway ? admitAgain({ timeoutMs }) : peer.ping({ timeoutMs })).then(
        () => true,
        // A server that does not know `ping` is still one that answers.
        (error: unknown) => isRpcError(error) || waitsForSomebody(error),
      ),
    list,
    close,
  }
}

type Asker = Pick<Call, 'caller' | 'asking'>

/** What was found out is about the link as a whole, and stays as it is. */
const asLegacy = ({ verdict: _, onVerdict: __, ...options }: ClientPeerOptions): ClientPeerOptions => ({
  ...options,
  era: 'legacy',
})

/** Declared where a session serves us all: for our own lists, and for processes that callers share. */
const everything: JsonObject = Object.freeze({ elicitation: { form: {}, url: {} }, sampling: {}, roots: {} })

/** Questions that no call caused. Many servers want to know the roots when they start; there are none to tell. */
const answerOutside: RequestHandler = ({ method }) => {
  if (method === 'roots/list') return { roots: [] }
  throw new RpcError(rpcCodes.invalidRequest, `Nobody can be asked for ${method.slice(0, 64)} outside of a call.`)
}
