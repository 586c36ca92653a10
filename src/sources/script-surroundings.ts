import { defined, type JsonObject } from '../model/json.js'
import type { ScriptSurroundings } from '../sandbox/scripts.js'
import type { SourceCall } from './source.js'

/** What a script takes over from the call that it is, whoever wrote it. */
export const scriptSurroundings = (context: SourceCall): ScriptSurroundings => ({
  caller: context.call.caller,
  session: context.call.session,
  signal: context.cancel,
  parent: context.link,
  onProgress: context.call.onProgress && context.reportProgress.bind(context),
  from: context.call.from,
  onBegin: context.noteScript?.bind(context),
  meta: traceOf(context.call.meta),
})

/** Whose trace the calls in a script belong to; what else came with it was for the script alone. */
const traceOf = (meta: JsonObject | undefined): JsonObject | undefined => {
  if (meta?.traceparent === undefined) return undefined
  const { traceparent, tracestate, baggage } = meta
  return defined({ traceparent, tracestate, baggage })
}
