import { messageOf } from '../errors.js'
import type { ClientPeer, ClientPeerOptions } from '../mcp/client/client-peer.js'
import type { PeerInfo } from '../mcp/client/handshake.js'
import type { HeaderParam } from '../mcp/header-params.js'
import { isRpcError } from '../mcp/rpc-error.js'
import type { JsonObject } from '../model/json.js'
import type { Answer } from '../model/result.js'
import { type CallerSessions, createCallerSessions } from './caller-sessions.js'
import { callMcpTool } from './mcp-call.js'
import type { McpSourceKind, McpSourceOptions } from './mcp-source-options.js'
import { listMcpTools } from './mcp-tools.js'
import { createNamedTimers } from './named-timers.js'
import type { SourceCall, SourceUpdate } from './source.js'

export interface McpLink {
  readonly info: PeerInfo | undefined
  /** Calls that are on their way. */
  readonly running: number
  call(name: string, args: JsonObject, context: SourceCall): Promise<Answer>
  /** Does it answer within this time? */
  answers(timeoutMs: number): Promise<boolean>
  /** Reads the list again and reports it. */
  list(): Promise<void>
  close(): Promise<void>
}

export interface McpLinkEvents {
  readonly peerOptions: ClientPeerOptions
  /** Gives up opening it. Once it is open, `close` ends it. */
  readonly signal: AbortSignal
  onTools(update: SourceUpdate): void
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
  let sessions: CallerSessions | undefined
  let running = 0
  let state: 'opening' | 'open' | 'closed' = 'opening'
  let listAgain = false

  const list = async (): Promise<void> => {
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
  const peerFor = (caller: string): ClientPeer | Promise<ClientPeer> => {
    if (!how.sessionPerCaller || peer.info?.era !== 'legacy') return peer
    sessions ??= createCallerSessions({
      clock: options.clock,
      make: (principal, onClose) => how.connect({ ...events.peerOptions, onClose }, principal),
    })
    return sessions.of(caller)
  }
  const close = async (): Promise<void> => {
    state = 'closed'
    timers.clearAll()
    await Promise.allSettled([peer.close(), sessions?.close()])
  }

  const peer = await how.connect(
    {
      ...events.peerOptions,
      onNotification: ({ method }) => void (method === 'notifications/tools/list_changed' && relistSoon()),
      onResync: relistSoon,
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
    await list()
    if (info.era === 'modern') peer.listen({ toolsListChanged: true })
  } catch (error) {
    await close()
    throw error
  } finally {
    events.signal.removeEventListener('abort', giveUp)
  }
  state = 'open'
  if (listAgain) relistSoon()

  return {
    get info() {
      return peer.info
    },
    get running() {
      return running
    },
    call: async (name, args, context) => {
      running += 1
      try {
        return await callMcpTool(await peerFor(context.call.caller.id), name, args, context, headerParams.get(name))
      } finally {
        running -= 1
      }
    },
    answers: (timeoutMs) =>
      peer.ping({ timeoutMs }).then(
        () => true,
        // A server that does not know `ping` is still one that answers.
        (error: unknown) => isRpcError(error),
      ),
    list,
    close,
  }
}
