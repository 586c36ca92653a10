import { type Clock, systemClock } from '../../model/clock.js'
import { type ParseLimits, readMessage, sourceLimits } from '../parse.js'
import { invalidAnswer, unavailable } from './failure.js'
import { type DispatchedRequest, type DispatchHooks, dispatchRequest, type HttpRequest } from './http-dispatch.js'
import { createHttpEndpoint, type HttpEndpoint, type HttpEndpointOptions } from './http-endpoint.js'
import { type PostHost, startPost } from './http-post.js'
import { type HttpStream, keepHttpStream } from './streams.js'
import type { ClientTransport, TransportEvents } from './transport.js'

export interface HttpTransportOptions extends HttpEndpointOptions {
  readonly limits?: ParseLimits | undefined
  readonly clock?: Clock | undefined
  readonly random?: (() => number) | undefined
}

const deleteTimeoutMs = 2000

/** Streamable HTTP of both eras: one POST per message, answered by JSON or by a stream of events of its own. */
export const createHttpTransport = (options: HttpTransportOptions): ClientTransport => {
  const endpoint = createHttpEndpoint(options)
  const limits = options.limits ?? sourceLimits
  const clock = options.clock ?? systemClock
  const start = createStarter(endpoint, limits.maxBytes)
  const place = endpoint.url.origin
  let events: TransportEvents | undefined
  let session: string | undefined
  let sessionHeaders: Readonly<Record<string, string>> = {}
  let stream: HttpStream | undefined
  let closed = false

  const get = (lastEventId: string | undefined, hooks: DispatchHooks): DispatchedRequest => {
    const headers = toHeaderList({ accept: 'text/event-stream', ...sessionHeaders })
    if (session !== undefined) headers.push('mcp-session-id', session)
    if (lastEventId !== undefined) headers.push('last-event-id', lastEventId)
    return start('GET', hooks, headers)
  }

  const endSession = (): Promise<void> => {
    if (session === undefined) return Promise.resolve()
    const headers = { ...sessionHeaders, 'mcp-session-id': session }
    session = undefined
    return new Promise((resolve) => {
      const stop = clock.after(deleteTimeoutMs, resolve)
      const done = (): void => {
        stop()
        resolve()
      }
      start('DELETE', { onEvent: () => {}, onEnd: done, onFail: done }, toHeaderList(headers))
    })
  }

  const host: PostHost = {
    place,
    limits,
    clock,
    post: (headers, text, hooks) => start('POST', hooks, headers, text),
    resume: get,
    keepSession: ({ headers: { 'mcp-session-id': value } }) => {
      if (value !== undefined && !isSessionId(value)) {
        return invalidAnswer(`${place} named a session id that no header can carry.`)
      }
      session = value
      return undefined
    },
  }

  return {
    kind: 'http',
    perRequest: true,
    get sessionful() {
      return session !== undefined
    },
    open: async (listener) => {
      if (closed) throw unavailable('The transport is closed.', { notSent: true })
      events = listener
    },
    send: (text, sendOptions) => {
      const used = sendOptions.startsSession ? undefined : session
      const headers = postHeaders.slice()
      addHeaders(headers, sendOptions.headers)
      if (used !== undefined) headers.push('mcp-session-id', used)
      return startPost(host, { text, headers, session: used }, sendOptions)
    },
    sessionReady: (headers) => {
      sessionHeaders = headers
      stream?.stop()
      stream = keepHttpStream({
        clock,
        random: options.random,
        start: get,
        retryRefused: typeof options.headers === 'function',
        onEvent: (event) => events && readMessage(event.data, limits, events),
        onResync: () => events?.onResync(),
      })
    },
    close: async () => {
      if (closed) return
      closed = true
      stream?.stop()
      await endSession()
      await endpoint.close()
      events?.onClose(undefined)
    },
  }
}

const postHeaders: readonly string[] = [
  'content-type',
  'application/json',
  'accept',
  'application/json, text/event-stream',
]

/** Starts one request to an endpoint; headers are names and values in turn, and the list is the request's own. */
export type Start = (
  method: HttpRequest['method'],
  hooks: DispatchHooks,
  headers: string[],
  body?: string,
) => DispatchedRequest

/** Requests to one endpoint with the operator's headers beside ours, none of which they can replace. */
export const createStarter = (
  endpoint: HttpEndpoint,
  maxBytes: number,
  path = endpoint.url.pathname + endpoint.url.search,
): Start => {
  const { origin } = endpoint.url
  return (method, hooks, headers, body) => {
    addHeaders(headers, endpoint.customHeaders())
    return dispatchRequest(endpoint.dispatcher, { origin, path, method, headers, body: body ?? null }, maxBytes, hooks)
  }
}

/** Names and values in turn. */
export const toHeaderList = (headers: Readonly<Record<string, string>>): string[] => Object.entries(headers).flat()

const addHeaders = (list: string[], headers: Readonly<Record<string, string>> | undefined): void => {
  for (const name in headers) list.push(name, headers[name]!)
}

const isSessionId = (value: string | string[]): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,1024}$/.test(value)
