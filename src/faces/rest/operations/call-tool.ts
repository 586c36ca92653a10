import type { Gateway } from '../../../gateway.js'
import { HttpError } from '../../../http/http-error.js'
import { createSseResponse } from '../../../mcp/server/sse-response.js'
import { toToolResult, toValue } from '../../../model/answer.js'
import type { Call } from '../../../model/call.js'
import type { Clock } from '../../../model/clock.js'
import type { Outcome } from '../../../model/outcome.js'
import { type Operation, type OperationRequest, operation, type Reply } from '../../../operations/operation.js'
import {
  anyObject,
  choice,
  closed,
  described,
  flag,
  integer,
  otherwise,
  type ValueOf,
  words,
} from '../../../operations/shape.js'
import { errorSchema, toToldError } from '../../../operations/told-error.js'
import type { FindRestProfile } from '../profile.js'
import { profileField, resultSchema, toolIdParam } from '../schemas.js'
import { toCall } from '../to-call.js'

const query = closed({
  profile: profileField,
  stream: described(
    otherwise(flag(), false),
    'Progress as server-sent events, then `result` or `error`',
    '以服务器发送事件给出进度，最后是 `result` 或 `error`',
  ),
  result: described(
    otherwise(choice(['mcp', 'value']), 'mcp'),
    'value gives back the bare value',
    'value 只返回结果值本身',
  ),
  // Bounded: a call holds one of the places that everybody shares.
  timeoutMs: described(integer({ minimum: 1, maximum: 600_000 }), 'Time for this call', '本次调用的时限'),
})

type CallQuery = ValueOf<typeof query>

/** `POST /api/v1/tools/{id}/call`: the arguments are the body, flat. */
export const callTool = (gateway: Gateway, findProfile: FindRestProfile, clock: Clock): Operation =>
  operation({
    id: 'callTool',
    method: 'POST',
    path: '/api/v1/tools/:id/call',
    right: 'call',
    tag: 'calls',
    summary: words('Call a tool with flat arguments', '调用一个工具，请求体即参数'),
    params: { id: toolIdParam },
    query,
    // What the arguments must be is the tool's own schema, asked on the way of every call.
    body: described(anyObject(), 'The arguments of the tool', '工具的参数'),
    bodyOptional: true,
    answers: {
      200: {
        description: words(
          "The tool's answer: MCP's result, or with result=value the bare value; with stream, events",
          '工具的应答：MCP 结果；result=value 时为结果值本身；stream 时为事件流',
        ),
        schema: { anyOf: [resultSchema, {}] },
        also: 'text/event-stream',
      },
      202: {
        description: words(
          'A rule asks a person about this call (APPROVAL_REQUIRED): nothing was sent. Location tells the state; send the same call again after they said yes',
          '规则要求有人批准这次调用（APPROVAL_REQUIRED）：尚未执行。状态见 Location；批准之后请再次发送相同的调用',
        ),
        schema: errorSchema,
      },
    },
    run: (request) => {
      const { params, query, body } = request
      const call = toCall(request, findProfile, { tool: params.id!, args: body, timeoutMs: query.timeoutMs })
      if (query.stream) return stream(gateway, call, request, clock)
      return gateway.call(call).then((outcome) => toReply(outcome, query.result === 'value'))
    },
  })

const toReply = (outcome: Outcome, bare: boolean): Reply => {
  if (!outcome.ok) throw outcome.error
  return { json: bare ? (toValue(outcome.answer) ?? null) : toToolResult(outcome.answer) }
}

const stream = async (
  gateway: Gateway,
  call: Call,
  request: OperationRequest<CallQuery>,
  clock: Clock,
): Promise<Reply> => {
  const { exchange, language, query } = request
  if (exchange.request.headers['last-event-id'] !== undefined) throw notResumable()
  const events = createSseResponse(exchange.response, {
    clock,
    reader: { caller: exchange.caller.id, shares: exchange.shares },
    headers: { 'x-content-type-options': 'nosniff' },
  })
  const say = (type: string, data: unknown) => JSON.stringify({ type, ...(data as object) })
  let told = 0
  const nextId = () => `${exchange.requestId}.${++told}`
  const outcome = await gateway.call({
    ...call,
    onProgress: (progress) => events.send(say('progress', progress), nextId()),
  })
  if (!outcome.ok) events.end(say('error', toToldError(outcome.error, exchange.requestId, language).body), nextId())
  else if (query.result === 'value') events.end(say('result', { value: toValue(outcome.answer) ?? null }), nextId())
  else events.end(say('result', { result: toToolResult(outcome.answer) }), nextId())
  return undefined
}

// Clients that read streams come back by themselves when one breaks; here that would run the tool a second time.
const notResumable = (): HttpError =>
  new HttpError(409, 'REQUEST_INVALID', 'The stream of a call cannot be gone on with: asking again would call again.', {
    hint: 'GET /api/v1/calls tells how it ended. To call anew, leave out Last-Event-ID.',
  })
