import type { Gateway } from '../../../gateway.js'
import { toToolResult } from '../../../model/answer.js'
import type { Outcome } from '../../../model/outcome.js'
import { toRestError } from '../error-answer.js'
import type { Operation, RestRequest } from '../operation.js'
import { defaultProfile, type FindRestProfile } from '../profile.js'
import { closed, errorSchema, profileField, resultSchema } from '../schemas.js'
import { traceContext } from '../trace-context.js'

interface Item {
  readonly id?: string | undefined
  readonly tool: string
  readonly arguments?: unknown
}

/** `POST /api/v1/calls`: several calls at once, each with its own outcome. */
export const callBatch = (gateway: Gateway, findProfile: FindRestProfile): Operation => ({
  id: 'callTools',
  method: 'POST',
  path: '/api/v1/calls',
  right: 'call',
  tag: 'calls',
  summary: 'Call several tools; one that fails does not fail the others',
  query: closed({ profile: profileField }),
  body: batchBody,
  answers: { 200: { description: 'An outcome per call, in their order', schema: batchAnswer } },
  run: async (request) => {
    const { calls, concurrency } = request.body as { calls: readonly Item[]; concurrency: number }
    const results = await inParallel(calls, concurrency, (item) => callOne(gateway, findProfile, item, request))
    return { json: { results } }
  },
})

const callOne = async (gateway: Gateway, findProfile: FindRestProfile, item: Item, request: RestRequest) => {
  const { caller, exchange } = request
  const maxResultBytes = findProfile(caller.profile ?? defaultProfile)?.maxResultBytes
  const outcome = await gateway.call({
    tool: item.tool,
    args: item.arguments,
    caller,
    signal: exchange.cancel,
    ...traceContext(exchange.request.headers),
    ...(maxResultBytes === undefined ? {} : { maxResultBytes }),
  })
  const id = item.id === undefined ? {} : { id: item.id }
  return { ...id, tool: item.tool, ...told(outcome, request) }
}

const told = (outcome: Outcome, { exchange, language }: RestRequest) => {
  if (outcome.ok) return { ok: true, status: 200, result: toToolResult(outcome.answer) }
  const { status, body } = toRestError(outcome.error, exchange.requestId, language)
  return { ok: false, status, ...body }
}

/** Keeps the order of the results and at most so many running. */
export const inParallel = async <T, R>(
  items: readonly T[],
  most: number,
  run: (item: T) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = new Array(items.length)
  let next = 0
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++
      results[at] = await run(items[at]!)
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, work))
  return results
}

const batchBody = closed(
  {
    calls: {
      type: 'array',
      minItems: 1,
      maxItems: 128,
      items: closed(
        {
          id: { type: 'string', maxLength: 256, description: 'Given back with the outcome' },
          tool: { type: 'string', minLength: 1, maxLength: 512 },
          arguments: { type: 'object' },
        },
        ['tool'],
      ),
    },
    concurrency: { type: 'integer', minimum: 1, maximum: 32, default: 8 },
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
