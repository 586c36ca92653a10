import type { GatewayError } from '../../errors.js'
import { type Clock, systemClock } from '../../model/clock.js'
import { defined } from '../../model/json.js'
import { type ParseLimits, readMessage, sourceLimits } from '../parse.js'
import { invalidAnswer, unavailable } from './failure.js'
import { type Dispatched, type DispatchHooks, HookedRequest, type HttpTarget } from './http-dispatch.js'
import { createHttpEndpoint, type HttpEndpoint, type HttpEndpointOptions, toHeaderLines } from './http-endpoint.js'
import { Post, type PostHost } from './http-post.js'
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
  const target = targetOf(endpoint, limits.maxBytes)
  const place = target.origin
  let events: TransportEvents | undefined
  let session: string | undefined
  let sessionHeaders: Readonly<Record<string, string>> = {}
  let stream: HttpStream | undefined
  let closed = false

  const get = (lastEventId: string | undefined, hooks: DispatchHooks): Dispatched => {
    const own = defined({ 'mcp-session-id': session, 'last-event-id': lastEventId })
    return start('GET', hooks, { accept: 'text/event-stream', ...sessionHeaders, ...own })
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
      start('DELETE', { onEvent: () => {}, onEnd: done, onFail: done }, headers)
    })
  }

  const host: PostHost = {
    target,
    limits,
    clock,
    resume: get,
    keepSession: (answer) => {
      const value = answer.header('mcp-session-id')
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
      const post = new Post(host, text, used, sendOptions)
      try {
        const own = used === undefined ? '' : `mcp-session-id: ${used}\r\n`
        post.headers = endpoint.headerLines() + postLines + toHeaderLines(sendOptions.headers) + own
        endpoint.wire.send(post)
      } catch (error) {
        post.fail(error as GatewayError)
      }
      return post
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
      await endpoint.wire.close()
      events?.onClose(undefined)
    },
  }
}

const postLines = toHeaderLines({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
})

const targetOf = (
  { wire, url }: HttpEndpoint,
  maxBytes: number,
  path: string = url.pathname + url.search,
): HttpTarget => ({ wire, origin: url.origin, path, maxBytes })

/** Starts one request to an endpoint. */
export type Start = (
  method: Dispatched['method'],
  hooks: DispatchHooks,
  headers: Readonly<Record<string, string>>,
  text?: string,
) => Dispatched

/** Requests to one endpoint with the operator's headers beside ours, none of which they can replace. */
export const createStarter = (endpoint: HttpEndpoint, maxBytes: number, path?: string): Start => {
  const target = targetOf(endpoint, maxBytes, path)
  return (method, hooks, headers, text) => {
    const request = new HookedRequest(target, method, text, hooks)
    try {
      request.headers = endpoint.headerLines() + toHeaderLines(headers)
      target.wire.send(request)
    } catch (error) {
      request.fail(error as GatewayError)
    }
    return request
  }
}

const isSessionId = (value: string): boolean => /^[\x21-\x7e]{1,1024}$/.test(value)
