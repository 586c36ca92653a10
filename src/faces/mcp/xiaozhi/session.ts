import { classifyRequest } from '../../../mcp/eras.js'
import type { RpcMessage, RpcRequest } from '../../../mcp/message.js'
import { errorText } from '../../../mcp/message.js'
import { parseMessage } from '../../../mcp/parse.js'
import { isRpcError, RpcError, type RpcId, rpcCodes } from '../../../mcp/rpc-error.js'
import { wholeHead } from '../../../model/fit/fit-text.js'
import { isRecord, type JsonObject, kindOf } from '../../../model/json.js'
import type { Logger } from '../../../telemetry/logger.js'
import type { Client, Exchange, Reply } from '../exchange.js'
import type { McpFace } from '../face.js'
import { createInFlight } from '../in-flight.js'
import type { LinkLists } from './link-lists.js'
import { createPeers } from './peers.js'
import { limitsOf, toLinkResult } from './result.js'
import { type Speech, type SpokenLanguage, sayRefusal } from './say-error.js'

export interface SessionOptions extends Client {
  readonly face: McpFace
  readonly lists: LinkLists
  readonly maxResultBytes: number
  readonly speech: Speech
  readonly logger: Logger
  send(text: string | Buffer): void
  /** An answer that came after the end, and went nowhere. */
  onLate(): void
}

/** The dialogue over one connection: frames in, frames out, in the words of the legacy era that the far side speaks. */
export interface Session {
  receive(frame: Buffer): void
  readonly running: number
  readonly calls: number
  readonly peer: string | undefined
  /** The connection is gone: what runs is cancelled, what answers late is dropped. */
  end(): void
}

const mostRequests = 64
const takesNames: ReadonlySet<string> = new Set(['call_tool', 'get_tool_definition'])
const assumedVersion = '2024-11-05'
const mostHelloBytes = 8000

export const createSession = (options: SessionOptions): Session => {
  const { face, lists, logger, send } = options
  const inFlight = createInFlight(mostRequests)
  const peers = createPeers()
  const limits = limitsOf(options.maxResultBytes)
  let ended = false
  let calls = 0

  const reply = (id: RpcId, result: string): void =>
    send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`)
  const refuse = (id: RpcId | null, error: unknown): void =>
    send(errorText(id, toLinkError(error, options.speech.language)))

  const list = async ({ id, params }: RpcRequest): Promise<string> => {
    if (params?.cursor) peers.paged(id)
    return (await lists.current(peers.pages(id))).page(params?.cursor)
  }
  /** The board's own tools take the names under which this link lists tools. */
  const withRealName = async (
    tool: string | undefined,
    args: unknown,
  ): Promise<{ readonly arguments?: JsonObject | undefined }> => {
    if (tool === undefined || !takesNames.has(tool) || !isRecord(args) || typeof args.tool_name !== 'string') return {}
    const meant = await lists.toolOf(args.tool_name)
    return meant === undefined ? {} : { arguments: { ...args, tool_name: meant } as JsonObject }
  }
  const call = async (exchange: Exchange): Promise<string> => {
    const { request } = exchange
    const asked = request.params?.name
    const name = typeof asked === 'string' ? await lists.toolOf(asked) : undefined
    calls += 1
    logger.log('info', `Tool called: ${shown(name ?? asked)}`, { args: argumentKinds(request.params?.arguments) })
    options.speech.heard(request.params?.arguments)
    const args = await withRealName(name, request.params?.arguments)
    const named = { ...request, params: { ...request.params, name: name ?? asked, ...args } }
    return toLinkResult(String(await face.answer({ ...exchange, request: named })), limits)
  }
  const hello = async (exchange: Exchange): Promise<string> => {
    const { request } = exchange
    peers.introduce(request.id, request.params?.clientInfo)
    const protocolVersion = request.params?.protocolVersion ?? assumedVersion
    const result = String(
      await face.answer({ ...exchange, request: { ...request, params: { ...request.params, protocolVersion } } }),
    )
    return result.length > mostHelloBytes ? withoutInstructions(result) : result
  }
  const answer = (exchange: Exchange): Reply | Promise<Reply> => {
    switch (exchange.request.method) {
      case 'initialize':
        return hello(exchange)
      case 'tools/list':
        return list(exchange.request)
      case 'tools/call':
        return call(exchange)
      default:
        return face.answer(exchange)
    }
  }

  const ask = async (request: RpcRequest): Promise<void> => {
    const sender = classifyRequest({ method: request.method, params: request.params })
    if (sender.era === 'rejected') return refuse(request.id, sender.error)
    const running = inFlight.begin(request.id)
    if (!running)
      return refuse(
        request.id,
        new RpcError(rpcCodes.internalError, 'Too many calls are running. Try again in a moment.'),
      )
    const { caller, profile } = options
    try {
      // Notifications of ours carry no id that a relay could pass on (X7), so progress is not sent at all.
      const result = await answer({ caller, profile, request, sender, signal: running.signal, notify: () => {} })
      if (ended) options.onLate()
      else if (!running.signal.aborted) reply(request.id, result.toString())
    } catch (error) {
      if (ended) options.onLate()
      else if (!running.signal.aborted) refuse(request.id, error)
    } finally {
      inFlight.end(request.id, running)
    }
  }
  const receive = (message: RpcMessage): void => {
    if (message.kind === 'request') return void ask(message)
    if (message.kind === 'notification' && message.method === 'notifications/cancelled')
      inFlight.cancel(message.params?.requestId)
  }

  return {
    receive: (frame) => {
      if (ended) return
      try {
        receive(parseMessage(frame))
      } catch (error) {
        refuse(isRpcError(error) ? error.id : null, error)
      }
    },
    get running() {
      return inFlight.size
    },
    get calls() {
      return calls
    },
    get peer() {
      return peers.last
    },
    end: () => {
      ended = true
      inFlight.cancelAll()
    },
  }
}

/** An error as the link carries it: its message is read aloud (X11), and what nobody reads stays here. */
const toLinkError = (error: unknown, language: SpokenLanguage): Pick<RpcError, 'code' | 'message' | 'data'> => {
  const message = wholeHead(sayRefusal(error, language), 512)
  if (!isRpcError(error)) return { code: rpcCodes.internalError, message, data: undefined }
  const fits = error.data !== undefined && (JSON.stringify(error.data) ?? '').length <= 512
  return { code: error.code, message, data: fits ? error.data : undefined }
}

const withoutInstructions = (result: string): string => {
  const { instructions: _, ...rest } = JSON.parse(result) as JsonObject
  return JSON.stringify(rest)
}

/** 001-17's line without what 001-17 would leak: the names of the arguments, and what kind of value each has. */
const argumentKinds = (args: unknown): Readonly<Record<string, string>> =>
  isRecord(args)
    ? Object.fromEntries(
        Object.entries(args)
          .slice(0, 16)
          .map(([key, value]) => [shown(key), `<${kindOf(value)}>`]),
      )
    : {}

// It comes from a stranger and goes to a terminal.
const shown = (name: unknown): string =>
  String(name)
    .slice(0, 120)
    .replace(/\p{Cc}/gu, '�')
