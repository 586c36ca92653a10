import { classifyRequest, type LegacyRequest, type ModernRequest, modernResultText } from '../../../mcp/eras.js'
import { errorText, metaOf, type RpcMessage, type RpcRequest } from '../../../mcp/message.js'
import { parseMessage } from '../../../mcp/parse.js'
import { isRpcError, RpcError, type RpcId, rpcCodes } from '../../../mcp/rpc-error.js'
import type { CancelSignal } from '../../../model/cancel.js'
import { wholeHead } from '../../../model/fit/fit-text.js'
import { isRecord, type JsonObject, kindOf } from '../../../model/json.js'
import type { Logger } from '../../../telemetry/logger.js'
import { type Client, type EncodedResult, wholeAnswer } from '../exchange.js'
import type { McpFace } from '../face.js'
import { RunningRequests } from '../in-flight.js'
import type { LinkLists } from './link-lists.js'
import { createPeers } from './peers.js'
import { limitsOf, type ResultLimits, toLinkResult } from './result.js'
import { type Speech, type SpokenLanguage, sayRefusal } from './say-error.js'

export interface DialogueOptions extends Client {
  readonly face: McpFace
  readonly lists: LinkLists
  readonly maxResultBytes: number
  readonly speech: Speech
  readonly logger: Logger
  send(text: string | Buffer): void
  /** An answer that came after the end, and went nowhere. */
  onLate(): void
}

const mostRequests = 64
const takesNames: ReadonlySet<string> = new Set(['call_tool', 'get_tool_definition'])
const assumedVersion = '2024-11-05'
const mostHelloBytes = 8000

/** The dialogue over one connection: frames in, frames out, in the words of the legacy era that the far side speaks. */
export class Dialogue {
  readonly #options: DialogueOptions
  readonly #limits: ResultLimits
  readonly #inFlight = new RunningRequests(mostRequests)
  readonly #peers = createPeers()
  #ended = false
  #calls = 0

  constructor(options: DialogueOptions) {
    this.#options = options
    this.#limits = limitsOf(options.maxResultBytes)
  }

  get running(): number {
    return this.#inFlight.size
  }

  get calls(): number {
    return this.#calls
  }

  get peer(): string | undefined {
    return this.#peers.last
  }

  receive(frame: Buffer): void {
    if (this.#ended) return
    try {
      this.#take(parseMessage(frame))
    } catch (error) {
      this.#refuse(isRpcError(error) ? error.id : null, error)
    }
  }

  /** The connection is gone: what runs is cancelled, what answers late is dropped. */
  end(): void {
    this.#ended = true
    this.#inFlight.cancelAll()
  }

  #take(message: RpcMessage): void {
    if (message.kind === 'request') void this.#answer(message)
    else if (message.kind === 'notification' && message.method === 'notifications/cancelled')
      this.#inFlight.cancel(message.params?.requestId)
  }

  async #answer(request: RpcRequest): Promise<void> {
    const { id, method, params } = request
    const sender = classifyRequest({ method, params })
    if (sender.era === 'rejected') return this.#refuse(id, sender.error)
    const running = this.#inFlight.begin(id)
    if (!running) return this.#refuse(id, tooMany)
    try {
      const result = await this.#resultOf(request, sender, running)
      if (this.#ended) this.#options.onLate()
      else if (!running.aborted) this.#options.send(wholeAnswer(id, result).toString())
    } catch (error) {
      if (this.#ended) this.#options.onLate()
      else if (!running.aborted) this.#refuse(id, error)
    } finally {
      this.#inFlight.end(running)
    }
  }

  #resultOf(
    request: RpcRequest,
    sender: LegacyRequest | ModernRequest,
    signal: CancelSignal,
  ): EncodedResult | Promise<EncodedResult> {
    if (request.method === 'initialize' && sender.era === 'legacy') return this.#hello(request)
    if (request.method === 'tools/list') return this.#list(request)
    if (request.method === 'tools/call') return this.#call(request, sender, signal)
    const { face, caller, profile } = this.#options
    // Notifications of ours carry no id that a relay could pass on (X7), so none is sent.
    return face.answer({ caller, profile, request, sender, signal, notify: () => {} })
  }

  #hello({ id, params }: RpcRequest): string {
    this.#peers.introduce(id, params?.clientInfo)
    const hello = this.#options.face.introduce(this.#options, params?.protocolVersion ?? assumedVersion)
    const text = JSON.stringify(hello)
    return text.length > mostHelloBytes ? JSON.stringify({ ...hello, instructions: undefined }) : text
  }

  async #list({ id, params }: RpcRequest): Promise<string> {
    if (params?.cursor) this.#peers.paged(id)
    const list = await this.#options.lists.current(this.#peers.pages(id))
    return list.page(params?.cursor)
  }

  async #call(
    { params }: RpcRequest,
    { era, version }: LegacyRequest | ModernRequest,
    signal: CancelSignal,
  ): Promise<string> {
    const { face, lists, logger, speech } = this.#options
    const asked = params?.name
    const known = typeof asked === 'string' ? await lists.toolOf(asked) : undefined
    const given = params?.arguments
    this.#calls += 1
    logger.log('info', `Tool called: ${shown(known ?? asked)}`, { args: argumentKinds(given) })
    speech.heard(given)
    const args = await this.#withRealName(known, given)
    const result = await face.callTool(this.#options, {
      ...{ name: known ?? asked, args, meta: metaOf(params), signal },
      from: { face: 'xiaozhi', client: this.#peers.last, protocol: version },
    })
    if (era === 'legacy') return toLinkResult(result, this.#limits)
    return toLinkResult(result, this.#limits, (link) => modernResultText(link, face.serverInfo))
  }

  /** The board's own tools take the names under which this link lists tools. */
  async #withRealName(tool: string | undefined, args: unknown): Promise<unknown> {
    if (tool === undefined || !takesNames.has(tool) || !isRecord(args) || typeof args.tool_name !== 'string')
      return args
    const meant = await this.#options.lists.toolOf(args.tool_name)
    return meant === undefined ? args : ({ ...args, tool_name: meant } as JsonObject)
  }

  #refuse(id: RpcId | null, error: unknown): void {
    this.#options.send(errorText(id, toLinkError(error, this.#options.speech.language)))
  }
}

const tooMany = new RpcError(rpcCodes.internalError, 'Too many calls are running. Try again in a moment.')

/** An error as the link carries it: its message is read aloud (X11), and what nobody reads stays here. */
const toLinkError = (error: unknown, language: SpokenLanguage): Pick<RpcError, 'code' | 'message' | 'data'> => {
  const message = wholeHead(sayRefusal(error, language), 512)
  if (!isRpcError(error)) return { code: rpcCodes.internalError, message, data: undefined }
  const fits = error.data !== undefined && (JSON.stringify(error.data) ?? '').length <= 512
  return { code: error.code, message, data: fits ? error.data : undefined }
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
