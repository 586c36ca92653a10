import type { ServerResponse } from 'node:http'
import type { HttpExchange } from '../http/route.js'
import type { Caller } from '../model/caller.js'
import { Cancel, type CancelSignal, toAbortSignal } from '../model/cancel.js'
import type { Clock } from '../model/clock.js'
import { isRecord, type JsonObject } from '../model/json.js'
import type { Fleet, Member } from './fleet.js'
import type { FleetAnswer, FleetPeers, FleetRequest } from './peers.js'

/** What another replica said to a question that all are asked. */
export interface Said {
  readonly replica: string
  /** Undefined: it is away, or did not say in time. */
  readonly answer: JsonObject | undefined
}

/** The request of a caller, to be answered by another replica. */
export interface OthersRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** As the caller would write it: path and query. */
  readonly target: string
  readonly body?: string | Buffer | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly caller: Caller
}

export interface Handed {
  readonly body: string | Buffer
  /** The last message of an event stream that breaks off, for a client that waits for an answer there. */
  readonly cut?: string | undefined
}

/** Who follows what other replicas tell. */
export interface FeedReader {
  /** One event of a replica. */
  told(replica: string, event: string, data: unknown): void
  /** Nothing more comes from it, for now or for ever: what it told is no longer so. */
  away(replica: string): void
}

/** The other replicas, as faces ask them for what is theirs. There is none of this where a process is by itself. */
export interface Others {
  readonly replica: string
  /** The names of those that live. */
  names(): readonly string[]
  /** The same question to each of them at once. Nobody waits longer than two seconds for the slowest. */
  ask(target: string, caller: Caller): Promise<readonly Said[]>
  /** One of them, and how it answered. Undefined when it is not there. Never rejects. */
  askOne(replica: string, request: OthersRequest): Promise<{ status: number; answer: JsonObject } | undefined>
  /** Hands a request on, and the answer back as it comes; see `Passing` of the MCP face. Never rejects. */
  pass(http: HttpExchange, to: string, handed: Handed): Promise<boolean>
  /** A stream of theirs, for as long as the signal lets it. */
  open(member: Member, path: string, caller: Caller, signal: CancelSignal): Promise<FleetAnswer>
  tell(kind: string, content: JsonObject): void
  onTold(kind: string, listener: (content: JsonObject) => void): () => void
  /** Who holds what runs once, perhaps we do; undefined where nobody does. */
  holderOf(lease: string): string | undefined
}

const patienceMs = 2000
const mostBytes = 8 * 1024 * 1024
// What is the client's and of the protocol: no credential of its leaves this replica, and none is needed.
const handedHeaders = /^(?:accept|accept-language|content-type|last-event-id|traceparent|tracestate|baggage|mcp-.+)$/
const returnedHeaders = ['content-type', 'cache-control', 'retry-after', 'x-accel-buffering', 'mcp-session-id', 'allow']

export const createOthers = (fleet: Fleet, peers: FleetPeers, clock: Clock): Others => {
  const others = (): readonly Member[] => fleet.members().filter(({ isUs }) => !isUs)
  const named = (name: string): Member | undefined => others().find((each) => each.name === name)
  /** One that has only just started may not have been heard of yet, or not where it listens. */
  const reached = async (name: string): Promise<Member | undefined> => {
    if (named(name)?.address === undefined) await fleet.hear()
    return named(name)
  }
  const sendTo = (member: Member, { method, target, body, headers, caller }: OthersRequest, signal: CancelSignal) => {
    const path = `/pass?to=${encodeURIComponent(target)}`
    const request: FleetRequest = { method, path, body, headers, caller, signal: toAbortSignal(signal) }
    return peers.send(member, request)
  }
  const read = async (member: Member, request: OthersRequest): Promise<{ status: number; answer: JsonObject }> => {
    const tooLate = new Cancel()
    const stop = clock.after(patienceMs, () => tooLate.abort(new Error(`Replica ${member.name} did not answer.`)))
    try {
      const answer = await sendTo(member, request, tooLate)
      return { status: answer.status, answer: await jsonOf(answer, tooLate) }
    } finally {
      stop()
    }
  }
  return {
    replica: fleet.replica,
    names: () => others().map(({ name }) => name),
    ask: (target, caller) =>
      Promise.all(
        others().map(async (member): Promise<Said> => {
          const said = await read(member, { method: 'GET', target, caller }).catch(() => undefined)
          return { replica: member.name, answer: said?.status === 200 ? said.answer : undefined }
        }),
      ),
    askOne: async (replica, request) => {
      const member = await reached(replica)
      return member && read(member, request).catch(() => undefined)
    },
    pass: async (http, to, { body, cut }) => {
      const member = await reached(to)
      if (!member) return false
      const { request, caller } = http
      const headers = Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]) =>
          typeof value === 'string' && handedHeaders.test(name) ? [[name, value]] : [],
        ),
      )
      try {
        const target = request.url ?? '/'
        const asked = { method: 'POST', target, body, headers, caller } as const
        const answer = await sendTo(member, asked, http.cancel)
        // It is not there either, or another process has its name by now.
        if (answer.status === 421 || answer.status === 401) return await dropped(answer)
        await handBack(answer, http.response, cut)
        return true
      } catch {
        // Whatever was sent is gone with that replica, and the client is told to begin again.
        return http.response.headersSent || http.response.destroyed
      }
    },
    open: (member, path, caller, signal) =>
      peers.send(member, { method: 'GET', path, caller, signal: toAbortSignal(signal) }),
    tell: (kind, content) => peers.tell({ kind, content }, 'all'),
    onTold: (kind, listener) => peers.onTold(kind, (content) => listener(content)),
    holderOf: (lease) => {
      const standing = fleet.leases().find(({ name }) => name === lease)
      return standing?.isFree ? undefined : standing?.holder
    },
  }
}

const jsonOf = async ({ body }: FleetAnswer, signal: CancelSignal): Promise<JsonObject> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > mostBytes || signal.aborted) throw new Error('The answer is too long, or came too late.')
    chunks.push(chunk)
  }
  const value: unknown = bytes === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'))
  return isRecord(value) ? (value as JsonObject) : {}
}

const dropped = async ({ body }: FleetAnswer): Promise<false> => {
  for await (const _ of body);
  return false
}

/** No faster than the client reads. A stream that breaks off ends with words that the client understands. */
const handBack = async (answer: FleetAnswer, response: ServerResponse, cut: string | undefined): Promise<void> => {
  const headers = returnedHeaders.flatMap((name) => {
    const value = answer.headers[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const length = answer.headers['content-length']
  response.writeHead(answer.status, {
    'x-content-type-options': 'nosniff',
    ...Object.fromEntries(length === undefined ? headers : [...headers, ['content-length', length]]),
  })
  response.flushHeaders()
  try {
    for await (const chunk of answer.body) if (!response.write(chunk)) await drained(response)
    response.end()
  } catch (error) {
    if (cut === undefined || !answer.headers['content-type']?.startsWith('text/event-stream')) throw error
    response.end(`event: message\ndata: ${cut}\n\n`)
  }
}

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (): void => {
      response.off('drain', done)
      response.off('close', done)
      if (response.destroyed) reject(new Error('The client left.'))
      else resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
