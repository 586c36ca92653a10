import { defined, type JsonObject } from '../../model/json.js'

// W3C Trace Context §3.2 and §3.3, version 00's form. Whatever else stands there is a caller's text and no header.
const traceparent = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/
const tracestate = /^[ -~]{1,512}$/

/**
 * The trace that a call belongs to, as HTTP has it. Baggage stays here: it is the caller's own words, and the API
 * behind may be anybody's.
 */
export const traceHeaders = (meta: JsonObject | undefined): Readonly<Record<string, string>> => {
  const parent = meta?.traceparent
  if (typeof parent !== 'string' || !traceparent.test(parent)) return {}
  const state = meta?.tracestate
  return defined({
    traceparent: parent,
    tracestate: typeof state === 'string' && tracestate.test(state) ? state : undefined,
  })
}
