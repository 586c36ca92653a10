import type { IncomingHttpHeaders } from 'node:http'
import type { Call, CallOrigin } from '../../model/call.js'
import type { OperationRequest } from '../../operations/operation.js'
import { namedSession } from '../session-name.js'
import { defaultProfile, type FindRestProfile } from './profile.js'

/**
 * A call as it came over plain HTTP: in its caller's name, within their profile's bounds, ended when they leave. Made at
 * once: spreading it into another object costs every call more than all of this.
 */
export const toCall = (
  { exchange, caller }: OperationRequest<unknown, unknown>,
  findProfile: FindRestProfile,
  { tool, args, timeoutMs }: Pick<Call, 'tool' | 'args' | 'timeoutMs'>,
): Call => ({
  tool,
  args,
  timeoutMs,
  caller,
  session: namedSession(exchange.request.headers),
  from: originOf(exchange.request.headers['user-agent']),
  maxResultBytes: findProfile(caller.profile ?? defaultProfile)?.maxResultBytes,
  signal: exchange.cancel,
  meta: traceContext(exchange.request.headers),
})

// Programs say the same with every request.
let lastAgent: string | undefined
let lastOrigin: CallOrigin = { face: 'rest' }

/** The first word of a user agent: `curl/8.5.0`. */
const originOf = (agent: string | undefined): CallOrigin => {
  if (agent === lastAgent) return lastOrigin
  const [, client, version] = /^([^\s/]{1,64})(?:\/(\S{1,32}))?/.exec(agent ?? '') ?? []
  lastAgent = agent
  lastOrigin = { face: 'rest', client, version }
  return lastOrigin
}

/** W3C's headers go where MCP keeps them (SEP-414), so that a trace goes through us whoever asked. */
const traceContext = ({ traceparent, tracestate, baggage }: IncomingHttpHeaders): Call['meta'] => {
  if (typeof traceparent !== 'string') return undefined
  const text = (name: string, value: unknown) => (typeof value === 'string' ? { [name]: value } : {})
  return { traceparent, ...text('tracestate', tracestate), ...text('baggage', baggage) }
}
