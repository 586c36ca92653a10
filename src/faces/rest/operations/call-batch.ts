import type { Gateway } from '../../../gateway.js'
import { toToolResult } from '../../../model/answer.js'
import { Cancel, type CancelSignal, once } from '../../../model/cancel.js'
import type { Outcome } from '../../../model/outcome.js'
import { rows } from '../../../model/turn-pace.js'
import { type Operation, type OperationRequest, operation } from '../../../operations/operation.js'
import {
  anyObject,
  closed,
  described,
  integer,
  list,
  otherwise,
  text,
  type ValueOf,
  words,
} from '../../../operations/shape.js'
import { errorSchema, toToldError } from '../../../operations/told-error.js'
import { inParallel } from '../../../providers/messages.js'
import type { FindRestProfile } from '../profile.js'
import { profileField, resultSchema } from '../schemas.js'
import { toCall } from '../to-call.js'

const item = closed(
  {
    id: described(text({ maxLength: 256 }), 'Given back with the outcome', '随结果原样返回'),
    tool: text({ minLength: 1, maxLength: 512 }),
    arguments: anyObject(),
  },
  ['tool'],
)

const batchBody = closed(
  {
    calls: list(item, { minItems: 1, maxItems: 128 }),
    concurrency: otherwise(integer({ minimum: 1, maximum: 32 }), 8),
  },
  ['calls'],
)

const batchAnswer = {
  type: 'object',
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          tool: { type: 'string' },
          ok: { type: 'boolean' },
          status: { type: 'integer' },
          result: resultSchema,
          error: errorSchema.properties!['error' as never],
        },
        required: ['tool', 'ok', 'status'],
      },
    },
  },
}

/** `POST /api/v1/calls`: several calls at once, each with its own outcome. */
export const callBatch = (gateway: Gateway, findProfile: FindRestProfile): Operation =>
  operation({
    id: 'callTools',
    method: 'POST',
    path: '/api/v1/calls',
    right: 'call',
    tag: 'calls',
    summary: words(
      'Call several tools; one that fails does not fail the others',
      '一次调用多个工具；其中一个失败不影响其他',
    ),
    query: closed({ profile: profileField }),
    body: batchBody,
    answers: {
      200: {
        description: words('An outcome per call, in their order', '按顺序给出每次调用的结果'),
        schema: batchAnswer,
      },
    },
    run: async (request) => {
      const { calls, concurrency } = request.body
      const signal = inTurn(request.exchange.cancel)
      const results = await inParallel(calls, concurrency, (each) =>
        callOne(gateway, findProfile, each, request, signal),
      )
      return { json: { results } }
    },
  })

const callOne = async (
  gateway: Gateway,
  findProfile: FindRestProfile,
  { id, tool, arguments: args }: ValueOf<typeof item>,
  request: OperationRequest<unknown>,
  signal: CancelSignal,
) => {
  const outcome = await gateway.call({ ...toCall(request, findProfile, { tool, args }), signal })
  return { id, tool, ...told(outcome, request) }
}

/** Whoever leaves with many calls leaves by and by: to end them all is work, too, and others wait meanwhile. */
const inTurn = (given: CancelSignal): CancelSignal => {
  const cancel = new Cancel()
  const leave = async (): Promise<void> => {
    if (rows.isSpent) await rows.rest()
    const startedAt = performance.now()
    cancel.abort(given.reason)
    rows.worked(performance.now() - startedAt)
  }
  if (given.aborted) cancel.abort(given.reason)
  else given.addEventListener('abort', () => void leave(), once)
  return cancel
}

const told = (outcome: Outcome, { exchange, language }: OperationRequest<unknown>) => {
  if (outcome.ok) return { ok: true, status: 200, result: toToolResult(outcome.answer) }
  const { status, body } = toToldError(outcome.error, exchange.requestId, language)
  return { ok: false, status, ...body }
}
