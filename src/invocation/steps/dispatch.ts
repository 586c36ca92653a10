import { GatewayError, isGatewayError, messageOf } from '../../errors.js'
import type { Call } from '../../model/call.js'
import type { JsonObject } from '../../model/json.js'
import type { Answer } from '../../model/result.js'
import type { Source } from '../../sources/source.js'
import { isPromise, type Run } from '../compose.js'
import type { Passage } from '../passage.js'

/** Middleware around each request to a source. It may hand on another call than the one it was given. */
export type SourceWrapper = (
  call: Call,
  to: { readonly source: string; readonly kind: string; readonly tool: string },
  next: (call: Call) => Answer | Promise<Answer>,
) => Promise<Answer>

/** Innermost: the only place that leaves the gateway. */
export const dispatch = (find: (source: string) => Source | undefined, outward?: SourceWrapper): Run => {
  // Chosen once: nobody pays for a wrapper that is not there.
  const ask = outward ? askWithin(outward) : askPlainly
  return (passage) => {
    const source = find(passage.tool.source)
    if (!source) throw sourceGone(passage)
    passage.attempts += 1
    try {
      const answer = ask(source, passage)
      if (!isPromise(answer)) return noteCached(passage, answer)
      if (!passage.sync)
        return answer.then(
          (value) => noteCached(passage, value),
          (thrown) => {
            throw toolError(passage, thrown)
          },
        )
      answer.catch(() => {})
      throw asyncOnly(passage.tool.id)
    } catch (thrown) {
      throw toolError(passage, thrown)
    }
  }
}

const askPlainly = (source: Source, passage: Passage): Answer | Promise<Answer> =>
  source.call(passage.tool.name, passage.args as JsonObject, passage)

const askWithin =
  (outward: SourceWrapper) =>
  (source: Source, passage: Passage): Answer | Promise<Answer> => {
    if (passage.sync) return askPlainly(source, passage)
    const to = { source: passage.tool.source, kind: source.kind, tool: passage.tool.name }
    return outward(passage.call, to, (call) => {
      passage.call = call
      return askPlainly(source, passage)
    })
  }

const noteCached = (passage: Passage, answer: Answer): Answer => {
  passage.cached = answer.cached ?? false
  return answer
}

const toolError = (passage: Passage, thrown: unknown): GatewayError =>
  isGatewayError(thrown)
    ? thrown
    : new GatewayError('TOOL_FAILED', `'${passage.tool.id}' failed: ${messageOf(thrown)}`, {
        details: { tool: passage.tool.id },
        cause: thrown,
      })

/** Thrown where a caller on the stack meets a tool that needs the event loop. */
export const asyncOnly = (tool: string): GatewayError =>
  new GatewayError(
    'TOOL_ASYNC_ONLY',
    `'${tool}' is asynchronous: use the asynchronous call, which returns a promise.`,
    {
      details: { tool },
    },
  )

const sourceGone = ({ tool }: Passage): GatewayError =>
  new GatewayError('SOURCE_NOT_FOUND', `The source '${tool.source}' of '${tool.id}' is not mounted any more.`, {
    details: { tool: tool.id, source: tool.source },
    notSent: true,
  })
