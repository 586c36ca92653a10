import type { IncomingHttpHeaders } from 'node:http'
import type { Call } from '../../model/call.js'

/** W3C's headers go where MCP keeps them (SEP-414), so that a trace goes through us whoever asked. */
export const traceContext = ({ traceparent, tracestate, baggage }: IncomingHttpHeaders): Pick<Call, 'meta'> => {
  if (typeof traceparent !== 'string') return {}
  const text = (name: string, value: unknown) => (typeof value === 'string' ? { [name]: value } : {})
  return { meta: { traceparent, ...text('tracestate', tracestate), ...text('baggage', baggage) } }
}
