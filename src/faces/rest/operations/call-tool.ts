import type { Gateway } from '../../../gateway.js'
import { HttpError } from '../../../http/http-error.js'
import { createSseResponse } from '../../../mcp/server/sse-response.js'
import { toToolResult, toValue } from '../../../model/answer.js'
import type { Call } from '../../../model/call.js'
import type { Clock } from '../../../model/clock.js'
import type { Outcome } from '../../../model/outcome.js'
import { toRestError } from '../error-answer.js'
import type { Operation, Reply, RestRequest } from '../operation.js'
import { defaultProfile, type FindRestProfile } from '../profile.js'
import { closed, profileField, resultSchema, toolIdParam } from '../schemas.js'
import { traceContext } from '../trace-context.js'

/** `POST /api/v1/tools/{id}/call`: the arguments are the body, flat. */
export const callTool = (gateway: Gateway, findProfile: FindRestProfile, clock: Clock): Operation => ({
  id: 'callTool',
  method: 'POST',
  path: '/api/v1/tools/:id/call',
  right: 'call',
  tag: 'calls',
  summary: 'Call a tool with flat arguments',
  params: { id: toolIdParam },
  query: closed({
    profile: profileField,
    stream: {
      type: 'boolean',
      default: false,
      description: 'Progress as server-sent events, then `result` or `error`',
    },
    result: { type: 'string', enum: ['mcp', 'value'], default: 'mcp', description: 'value gives back the bare value' },
    // Bounded: a call holds one of the places that everybody shares.
    timeoutMs: { type: 'integer', minimum: 1, maximum: 600_000, description: 'Time for this call' },
  }),
  // What the arguments must be is the tool's own schema, asked on the way of every call.
  body: { type: 'object', description: 'The arguments of the tool' },
  bodyOptional: true,
  answers: {
    200: {
      description: "The tool's answer: MCP's result, or with result=value the bare value; with stream, events",
      schema: { anyOf: [resultSchema, {}] },
      also: 'text/event-stream',
    },
  },
  run: (request) => {
    const call = toCall(request, findProfile)
    if (request.query.stream === true) return stream(gateway, call, request, clock)
    return gateway.call(call).then((outcome) => toReply(outcome, request.query.result === 'value'))
  },
})

const toCall = ({ exchange, caller, params, query, body }: RestRequest, findProfile: FindRestProfile): Call => {
  const maxResultBytes = findProfile(caller.profile ?? defaultProfile)?.maxResultBytes
  return {
    tool: params.id!,
    args: body,
    caller,
    ...(maxResultBytes === undefined ? {} : { maxResultBytes }),
    ...traceContext(exchange.request.headers),
    ...(query.timeoutMs === undefined ? {} : { timeoutMs: query.timeoutMs as number }),
    signal: exchange.cancel,
  }
}

const toReply = (outcome: Outcome, bare: boolean): Reply => {
  if (!outcome.ok) throw outcome.error
  return { json: bare ? (toValue(outcome.answer) ?? null) : toToolResult(outcome.answer) }
}

const stream = async (gateway: Gateway, call: Call, request: RestRequest, clock: Clock): Promise<Reply> => {
  const { exchange, language, query } = request
  if (exchange.request.headers['last-event-id'] !== undefined) throw notResumable()
  const events = createSseResponse(exchange.response, { clock, headers: { 'x-content-type-options': 'nosniff' } })
  const say = (type: string, data: unknown) => JSON.stringify({ type, ...(data as object) })
  let told = 0
  const nextId = () => `${exchange.requestId}.${++told}`
  const outcome = await gateway.call({
    ...call,
    onProgress: (progress) => events.send(say('progress', progress), nextId()),
  })
  if (!outcome.ok) events.end(say('error', toRestError(outcome.error, exchange.requestId, language).body), nextId())
  else if (query.result === 'value') events.end(say('result', { value: toValue(outcome.answer) ?? null }), nextId())
  else events.end(say('result', { result: toToolResult(outcome.answer) }), nextId())
  return undefined
}

// Clients that read streams come back by themselves when one breaks; here that would run the tool a second time.
const notResumable = (): HttpError =>
  new HttpError(409, 'REQUEST_INVALID', 'The stream of a call cannot be gone on with: asking again would call again.', {
    hint: 'GET /api/v1/calls tells how it ended. To call anew, leave out Last-Event-ID.',
  })
