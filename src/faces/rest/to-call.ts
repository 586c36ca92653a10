import type { IncomingHttpHeaders } from 'node:http'
import type { Call } from '../../model/call.js'
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
  maxResultBytes: findProfile(caller.profile ?? defaultProfile)?.maxResultBytes,
  signal: exchange.cancel,
  meta: traceContext(exchange.request.headers),
})

/** W3C's headers go where MCP keeps them (SEP-414), so that a trace goes through us whoever asked. */
const traceContext = ({ traceparent, tracestate, baggage }: IncomingHttpHeaders): Call['meta'] => {
  if (typeof traceparent !== 'string') return undefined
  const text = (name: string, value: unknown) => (typeof value === 'string' ? { [name]: value } : {})
  return { traceparent, ...text('tracestate', tracestate), ...text('baggage', baggage) }
}
