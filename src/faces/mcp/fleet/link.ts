import { GatewayError } from '../../../errors.js'
import type { Gateway } from '../../../gateway.js'
import type { LineChannel } from '../../../mcp/client/line-transport.js'
import type { ModernRequest } from '../../../mcp/eras.js'
import { callerKey, readCaller, sessionKey, toHandedError } from '../../../mcp/handed-over.js'
import { errorText, type Implementation, metaKeys, metaOf, type RpcRequest } from '../../../mcp/message.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import { toToolResult } from '../../../model/answer.js'
import { type Call, type CallSession, HandedOver, type RequestKind } from '../../../model/call.js'
import type { Caller } from '../../../model/caller.js'
import type { Clock } from '../../../model/clock.js'
import { isRecord, type JsonObject } from '../../../model/json.js'
import type { Outcome } from '../../../model/outcome.js'
import { RawResult } from '../../../model/raw-result.js'
import { admits } from '../../../model/role.js'
import type { Logger } from '../../../telemetry/logger.js'
import { Talk, type Talks } from '../asking/talk.js'
import { type Exchange, wholeAnswer } from '../exchange.js'
import { type RunningRequest, RunningRequests } from '../in-flight.js'
import { plainProfile } from '../profile.js'
import { HeldSource } from './held-source.js'

export interface ServedLinkOptions {
  readonly gateway: Gateway
  readonly talks: Talks
  readonly serverInfo: Implementation
  readonly clock: Clock
  readonly logger: Logger
  /** The source that the other replica asks. */
  readonly source: string
  readonly lines: LineChannel
  /** Why it may not be asked here any more; undefined while we hold it. Asked for each request. */
  readonly refusal: () => Error | undefined
}

/** The other end of a link, while it is open. */
export interface ServedLink {
  /** No more is taken; what runs still answers, then it closes. */
  leave(): void
  readonly ended: Promise<void>
}

// Of one replica to one source; its own steps bound what comes in there.
const mostRequests = 4096

/** Another replica itself, where it asks for nobody else: lists, announcements, signs of life. */
const nobodyElse: Caller = Object.freeze({ id: 'replica', rights: Object.freeze([]) })

/**
 * The modern MCP face of one source, for a replica that has found, allowed, checked and counted what it hands over. Names are
 * the source's own; calls go on at `admit`. What comes was sealed by a replica, so it is parsed and not searched for tricks.
 */
export const serveLink = (options: ServedLinkOptions): ServedLink => new Link(options)

class Link implements ServedLink {
  readonly ended: Promise<void>
  readonly #options: ServedLinkOptions
  readonly #held: HeldSource
  readonly #running = new RunningRequests(mostRequests)
  #isLeaving = false
  #end: () => void = () => {}

  constructor(options: ServedLinkOptions) {
    this.#options = options
    this.#held = new HeldSource(options)
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    options.lines.onLine((line) => this.#receive(line))
    options.lines.onClose(() => {
      this.#running.cancelAll()
      this.#held.close()
      this.#end()
    })
  }

  leave(): void {
    this.#isLeaving = true
    // Streams have no end of their own.
    this.#held.close()
    this.#closeWhenIdle()
  }

  #receive(line: Buffer | string): void {
    let message: unknown
    try {
      message = JSON.parse(line.toString())
    } catch {
      return void this.#options.lines.close()
    }
    if (!isRecord(message)) return
    const { id, method, params } = message
    if (typeof method !== 'string') return
    const given = isRecord(params) ? (params as JsonObject) : undefined
    if (typeof id === 'number') this.#answer({ kind: 'request', id, method, params: given, bytes: line.length })
    else if (method === 'notifications/cancelled') this.#running.cancel(given?.requestId)
  }

  #answer(request: RpcRequest): void {
    const refused = this.#options.refusal()
    const running = refused ? undefined : this.#running.begin(request.id)
    if (!running) return this.#send(errorText(request.id, toHandedError(refused ?? tooMany())))
    try {
      const work = this.#begin(request, running)
      work.then(
        (result) => this.#finish(running, result),
        (error) => this.#fail(running, error),
      )
    } catch (error) {
      this.#fail(running, error)
    }
  }

  #begin(request: RpcRequest, running: RunningRequest): Promise<string | Buffer> {
    const meta = metaOf(request.params) ?? {}
    const exchange: Exchange = {
      caller: readCaller(meta[callerKey]) ?? nobodyElse,
      profile: plainProfile,
      request,
      sender: senderOf(meta),
      standIn: standInOf(meta),
      signal: running,
      notify: this.#notify,
    }
    // All else about this caller was decided where it came in; that it may call at all is said by its rights.
    if (request.method === 'tools/call' && !admits(exchange.caller.rights, 'call')) throw noRight(exchange.caller)
    if (request.method === 'tools/call') return this.#callTool(exchange, meta)
    const own = this.#held.answer(exchange)
    return own ?? this.#ask(exchange, meta)
  }

  readonly #notify = (text: string): void => this.#send(text)

  #callTool(exchange: Exchange, meta: JsonObject): Promise<string | Buffer> {
    const { params } = exchange.request
    const name = String(params?.name)
    const talk = this.#options.talks.open(exchange, name)
    if (!(talk instanceof Talk)) return talk.then(encodedWork)
    const args = params?.arguments === undefined ? {} : params.arguments
    const call = this.#toCall(exchange, meta, { kind: 'tool', name, args, talk })
    const outcome = this.#options.gateway.call(call)
    if (!talk.mayWait) return outcome.then((ended) => encodedWork(resultOf(talk, ended)))
    return talk.until(outcome.then((ended) => resultOf(talk, ended))).then(encodedWork)
  }

  /** Everything else that is put to the source itself. */
  #ask(exchange: Exchange, meta: JsonObject): Promise<string | Buffer> {
    const { method, params } = exchange.request
    const { _meta: _, inputResponses: __, requestState: ___, ...args } = params ?? {}
    const kind = kinds.get(method) ?? 'other'
    const name = nameOf(kind, method, args)
    const talk = this.#options.talks.open(exchange, name)
    if (!(talk instanceof Talk)) return talk.then(encodedWork)
    const call = this.#toCall(exchange, meta, { kind, name, args, talk })
    return talk.until(this.#options.gateway.call(call).then((ended) => resultOf(talk, ended))).then(encodedWork)
  }

  #toCall(exchange: Exchange, meta: JsonObject, { kind, name, args, talk }: Asked): Call {
    const { caller, request } = exchange
    const { [callerKey]: _, ...own } = meta
    return {
      kind,
      tool: name,
      source: this.#options.source,
      found: new HandedOver(this.#held.targetOf(kind, name)),
      args,
      bytes: request.bytes,
      caller,
      session: exchange.standIn,
      signal: talk.signal,
      asking: talk,
      onProgress: talk.onProgress,
      meta: own,
    }
  }

  #finish(running: RunningRequest, result: string | Buffer): void {
    this.#running.end(running)
    if (!running.aborted) this.#send(wholeAnswer(running.id, result))
    if (this.#isLeaving) this.#closeWhenIdle()
  }

  #fail(running: RunningRequest, error: unknown): void {
    this.#running.end(running)
    if (!running.aborted) this.#send(errorText(running.id, toHandedError(error)))
    if (this.#isLeaving) this.#closeWhenIdle()
  }

  #send(line: string | Buffer): void {
    try {
      this.#options.lines.send(line)
    } catch (error) {
      // It is gone, or reads nothing of what it asked for.
      this.#options.logger.log('debug', 'A link of another replica takes no more.', { reason: String(error) })
      this.#options.lines.close()
    }
  }

  #closeWhenIdle(): void {
    if (this.#running.size === 0) this.#options.lines.close()
  }
}

interface Asked {
  readonly kind: RequestKind
  readonly name: string
  readonly args: unknown
  readonly talk: Talk
}

const kinds: ReadonlyMap<string, Exclude<RequestKind, 'tool' | 'other'>> = new Map([
  ['prompts/get', 'prompt'],
  ['resources/read', 'resource'],
  ['completion/complete', 'completion'],
] as const)

const nameOf = (kind: RequestKind, method: string, { name, uri, ref }: JsonObject): string => {
  if (kind === 'prompt') return String(name)
  if (kind === 'resource') return String(uri)
  if (kind !== 'completion') return method
  const of = isRecord(ref) ? ref : {}
  return String(of.type === 'ref/prompt' ? of.name : of.uri)
}

/** The session by which it came in there, where the source keeps sessions apart. */
const standInOf = (meta: JsonObject): CallSession | undefined => {
  const key = meta[sessionKey]
  return typeof key === 'string' ? { key, onEnd: () => () => {} } : undefined
}

const senderOf = (meta: JsonObject): ModernRequest => {
  const { [metaKeys.clientCapabilities]: capabilities, [metaKeys.logLevel]: logLevel } = meta
  return {
    era: 'modern',
    version: String(meta[metaKeys.protocolVersion]),
    clientCapabilities: isRecord(capabilities) ? (capabilities as JsonObject) : {},
    clientInfo: undefined,
    logLevel: typeof logLevel === 'string' ? logLevel : undefined,
  }
}

const resultOf = (talk: Talk, outcome: Outcome): RawResult | JsonObject => {
  if (!outcome.ok) throw outcome.error
  const { answer } = outcome
  if (answer.raw) return answer.raw
  const value = answer.type === 'value' ? answer.value : (answer.result as unknown)
  const isTool = answer.type === 'value' && !isRecord(value)
  return talk.sealed((isTool ? toToolResult(answer) : value) as JsonObject)
}

const encodedWork = (result: RawResult | JsonObject): string | Buffer =>
  result instanceof RawResult ? result.slice() : JSON.stringify(result)

const noRight = ({ id }: Caller): GatewayError =>
  new GatewayError('ACCESS_DENIED', `'${id.slice(0, 64)}' lacks the right 'call'.`, { notSent: true })

const tooMany = (): RpcError => new RpcError(rpcCodes.internalError, 'Too many requests of one replica are running.')
