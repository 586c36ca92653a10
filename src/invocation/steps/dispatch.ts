import { GatewayError, isGatewayError, messageOf } from '../../errors.js'
import { type Call, methodOf } from '../../model/call.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import { type Answer, valueAnswer } from '../../model/result.js'
import type { Source, SourceRequest } from '../../sources/source.js'
import { type Eventually, isPromise, type Passage } from '../passage.js'
import type { SourceHooks } from './hooks.js'
import { notOffered } from './resolve.js'

/** Middleware around each request to a source. It may hand on another call than the one it was given. */
export type SourceWrapper = (
  call: Call,
  to: { readonly source: string; readonly kind: string; readonly tool: string; readonly method: string },
  next: (call: Call) => Answer | Promise<Answer>,
) => Promise<Answer>

/** Innermost: the only place that leaves the gateway. */
export interface Dispatch {
  /** Asks the source. */
  ask(passage: Passage): Eventually<Answer>
  /** What it answered, at once or later. */
  leave(passage: Passage, answer: Answer): Answer
  /** What it threw, as an error of ours. */
  fail(passage: Passage, thrown: unknown): GatewayError
}

export const dispatch = (
  find: (source: string) => Source | undefined,
  outward?: SourceWrapper,
  hooks?: SourceHooks,
): Dispatch => {
  // Chosen once: nobody pays for a wrapper that is not there.
  const plainly = outward ? askWithin(outward) : askPlainly
  const ask: typeof askPlainly = hooks
    ? (source, passage) => hooks.around(passage, () => plainly(source, passage))
    : plainly
  return {
    ask: (passage) => {
      const source = find(passage.target.source)
      if (!source) throw sourceGone(passage)
      passage.attempts += 1
      const answer = ask(source, passage)
      if (!passage.sync || !isPromise(answer)) return answer
      answer.catch(() => {})
      throw asyncOnly(passage.target.id)
    },
    leave: (passage, answer) => {
      passage.cached = answer.cached ?? false
      return answer
    },
    fail: ({ target: { id } }, thrown) =>
      isGatewayError(thrown)
        ? thrown
        : new GatewayError('TOOL_FAILED', `'${id}' failed: ${messageOf(thrown)}`, {
            details: { tool: id },
            cause: thrown,
          }),
  }
}

const askPlainly = (source: Source, passage: Passage): Answer | Promise<Answer> =>
  passage.kind === 'tool'
    ? source.call(passage.target.name, passage.args as JsonObject, passage)
    : askFor(source, passage.kind, passage)

const askFor = (source: Source, kind: SourceRequest['kind'], passage: Passage): Promise<Answer> => {
  if (passage.sync) throw asyncOnly(passage.target.id)
  if (!source.ask) throw notOffered(kind, passage.call.tool)
  const params = isRecord(passage.args) ? (passage.args as JsonObject) : {}
  const request = { kind, method: methodOf(passage.call), params: inSourcesWords[kind](params, passage.target.name) }
  return source.ask(request, passage).then(valueAnswer)
}

/** The params with the name or address by which the source itself knows what is asked for. */
const inSourcesWords: Readonly<Record<SourceRequest['kind'], (params: JsonObject, name: string) => JsonObject>> = {
  prompt: (params, name) => ({ ...params, name }),
  resource: (params, uri) => ({ ...params, uri }),
  completion: ({ ref, ...params }, own) => ({
    ...params,
    ref: {
      ...(isRecord(ref) ? (ref as JsonObject) : {}),
      ...(isRecord(ref) && ref.type === 'ref/prompt' ? { name: own } : { uri: own }),
    },
  }),
  other: (params) => params,
}

const askWithin =
  (outward: SourceWrapper) =>
  (source: Source, passage: Passage): Answer | Promise<Answer> => {
    if (passage.sync) return askPlainly(source, passage)
    const { source: name, name: tool } = passage.target
    const to = { source: name, kind: source.kind, tool, method: methodOf(passage.call) }
    return outward(passage.call, to, (call) => {
      passage.call = call
      return askPlainly(source, passage)
    })
  }

/** Thrown where a caller on the stack meets a tool that needs the event loop. */
export const asyncOnly = (tool: string): GatewayError =>
  new GatewayError(
    'TOOL_ASYNC_ONLY',
    `'${tool}' is asynchronous: use the asynchronous call, which returns a promise.`,
    {
      details: { tool },
    },
  )

const sourceGone = ({ target: { id, source } }: Passage): GatewayError =>
  new GatewayError('SOURCE_NOT_FOUND', `The source '${source}' of '${id}' is not mounted any more.`, {
    details: { tool: id, source },
    notSent: true,
  })
