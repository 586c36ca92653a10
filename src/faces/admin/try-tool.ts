import type { ServerResponse } from 'node:http'
import { GatewayError } from '../../errors.js'
import type { Others } from '../../fleet/others.js'
import { type Gateway, type Visit, WaitsElsewhere, waitingRoomOf } from '../../gateway.js'
import type { HttpExchange } from '../../http/route.js'
import { isRpcError } from '../../mcp/rpc-error.js'
import { toToolResult } from '../../model/answer.js'
import type { Asking } from '../../model/asking.js'
import type { CallOrigin, Progress } from '../../model/call.js'
import type { Caller } from '../../model/caller.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import type { Outcome } from '../../model/outcome.js'
import { type Operation, operation } from '../../operations/operation.js'
import {
  anyObject,
  closed,
  flag,
  integer,
  list,
  number,
  of,
  shape,
  text,
  type ValueOf,
  words,
} from '../../operations/shape.js'
import { plainErrors } from '../../operations/told-error.js'
import { createSchemas } from '../../schema/schemas.js'
import { adminOperation, adminPath } from './admin-operation.js'
import { callerThrough } from './through-profile.js'

/** What the tool asks of whoever called it: a form to fill in, or an address to open. */
const askedQuestion = shape({ key: text(), method: text() }, { params: anyObject() })

const callAnswer = shape(
  { ok: flag(), latencyMs: number(), attempts: integer() },
  {
    result: shape({ content: list(anyObject()) }, { structuredContent: of<unknown>({}), isError: flag() }),
    error: shape({ code: text(), message: text() }),
    /** It waits for answers to these: send the same again with `answers` by their keys, and with this `state`. */
    questions: list(askedQuestion),
    state: text(),
  },
)

const order = closed(
  {
    args: anyObject(),
    /** As the callers of this profile call it. Default: as whoever is signed in does. */
    profile: text({ maxLength: 64 }),
    /** Its caller can be asked something while it runs. Default: a tool that asks is refused. */
    asks: flag(),
    /** By the keys of the questions: `{ "action": "accept", "content": {} }`, or `decline`, or `cancel`. */
    answers: anyObject({ maxProperties: 64 }),
    state: text({ maxLength: 16_384 }),
  },
  ['args'],
)

const checked = shape({ problems: list(shape({ path: text(), keyword: text(), message: text() })) })

export type CallAnswer = ValueOf<typeof callAnswer>
export type AskedQuestion = ValueOf<typeof askedQuestion>
export type CallOrder = ValueOf<typeof order>
export type CheckedArguments = ValueOf<typeof checked>

/** What a call tells while it runs, as server-sent events, for whoever accepts those. */
export interface CallEvents {
  readonly progress: Progress
  readonly answer: CallAnswer
}

const byConsole: CallOrigin = { face: 'console' }
const params = { id: words('The id of the tool', '工具 id') }
const schemas = createSchemas({ formats: 'assert' })

/** A call by hand: checked before it is sent, told of while it runs, and answered where it asks. */
export const tryToolOperations = (
  { gateway }: { readonly gateway: Gateway },
  { others }: { readonly others?: Others | undefined },
): readonly Operation[] => [
  adminOperation({
    id: 'checkArguments',
    method: 'POST',
    path: '/tools/:id/check',
    right: 'operate',
    deed: false,
    summary: words('Whether arguments fit a tool, before it is called', '调用之前检查参数是否符合工具的要求'),
    params,
    body: closed({ args: of<unknown>({}), profile: text({ maxLength: 64 }) }, ['args']),
    answer: checked,
    run: ({ params, body, caller }): CheckedArguments => {
      const shown = shownTo(gateway, params.id!, callerThrough(caller, body.profile))
      if (!shown) throw unknown(params.id!)
      const found = schemas.validator(shown.definition.inputSchema as JsonObject).check(body.args)
      // What takes too long to find out, the call itself will say.
      if (found.ok || found.outOfTime) return { problems: [] }
      return { problems: found.problems.map(({ path, keyword, message }) => ({ path, keyword, message })) }
    },
  }),
  operation({
    id: 'tryTool',
    deed: false,
    method: 'POST',
    path: `${adminPath}/tools/:id/call`,
    right: 'operate',
    tag: 'tools',
    summary: words('Call a tool by hand', '手动调用工具'),
    params,
    query: anyObject(),
    body: order,
    bodyOptional: true,
    answers: {
      200: {
        description: words(
          'The answer, or what the tool asks first; where `text/event-stream` is accepted, `progress` before it and then `answer`',
          '结果，或工具先提出的问题；接受 `text/event-stream` 时先有 `progress`，最后是 `answer`',
        ),
        schema: callAnswer,
        also: 'text/event-stream',
      },
    },
    errors: plainErrors,
    run: async ({ params, body, caller, exchange }) => {
      const asked = callerThrough(caller, body.profile)
      // By the name that this caller is shown: under its own, one that was renamed is unknown.
      const tool = shownTo(gateway, params.id!, asked)?.id ?? params.id!
      const wire = createWire(exchange)
      const visit: Visit = {
        caller: asked,
        request: {
          method: 'tools/call',
          params: { name: tool, arguments: body.args, requestState: body.state },
        },
        signal: exchange.cancel,
        notify: wire.tell,
      }
      try {
        return wire.end(await answerOf(gateway, visit, tool, body))
      } catch (error) {
        if (error instanceof WaitsElsewhere && others && exchange.passedBy === undefined) {
          const handed = JSON.stringify(body)
          if (await others.pass(exchange, error.replica, { body: handed })) return undefined
        }
        throw isRpcError(error) ? overNow(error) : error
      }
    },
  }),
]

const answerOf = async (gateway: Gateway, visit: Visit, tool: string, order: CallOrder): Promise<CallAnswer> => {
  const { caller, signal } = visit
  if (!order.asks) {
    const onProgress = (progress: Progress): void => visit.notify(eventText('progress', progress))
    return toAnswer(await gateway.call({ tool, args: order.args, caller, from: byConsole, signal, onProgress }))
  }
  const room = waitingRoomOf(gateway)
  const state = order.state === undefined ? undefined : room.opened(visit)
  if (state?.flow !== undefined) {
    const { flow, round } = state
    return read(await room.resume(visit, flow, round, order.answers as JsonObject | undefined))
  }
  const flow = room.begin(visit, tool)
  const asking: Asking = { capabilities, ask: (question, until) => room.ask(flow, question, until) }
  flow.start(
    gateway
      .call({
        tool,
        args: order.args,
        caller,
        from: byConsole,
        signal: flow.signal,
        asking,
        // To whichever of its requests waits at the moment.
        onProgress: (progress) => flow.attached?.notify(eventText('progress', progress)),
      })
      .then((outcome) => toAnswer(outcome) as unknown as JsonObject),
  )
  return read(await room.until(flow, visit))
}

/** A person sits there: forms and addresses are for them. There is no model to ask, and no folder. */
const capabilities: JsonObject = { elicitation: { form: {}, url: {} } }

const read = (result: unknown): CallAnswer => {
  const made = result as JsonObject
  if (made.resultType !== 'input_required') return made as unknown as CallAnswer
  const requests = isRecord(made.inputRequests) ? Object.entries(made.inputRequests) : []
  const questions = requests.map(([key, each]) => ({ key, ...(each as Omit<AskedQuestion, 'key'>) }))
  return { ok: false, latencyMs: 0, attempts: 1, questions, state: String(made.requestState) }
}

/** A refused call is an answer here: the page shows its code beside its time. */
const toAnswer = (outcome: Outcome): CallAnswer => {
  const { latencyMs, attempts } = outcome.meta
  if (!outcome.ok)
    return { ok: false, error: { code: outcome.error.code, message: outcome.error.message }, latencyMs, attempts }
  return { ok: true, result: toToolResult(outcome.answer) as CallAnswer['result'], latencyMs, attempts }
}

const shownTo = (gateway: Gateway, id: string, { profile }: Caller) => {
  const listed = gateway.catalog.snapshot().get(id)
  return listed && gateway.shown(profile).shownOf(listed)
}

const unknown = (id: string): GatewayError =>
  new GatewayError(
    'TOOL_NOT_FOUND',
    `There is no tool '${id.slice(0, 200)}' here that can be called; look at the list.`,
  )

const overNow = ({ message }: Error): GatewayError =>
  new GatewayError('CALL_CANCELLED', `The call no longer waits for these answers: ${message}`)

const eventText = <E extends keyof CallEvents>(event: E, value: CallEvents[E]): string =>
  `event: ${event}\ndata: ${JSON.stringify(value)}\n\n`

/** How the answer goes back: whole, or behind what was told before it. */
const createWire = ({ request, response }: HttpExchange) => {
  const isStream = request.headers.accept?.includes('text/event-stream') === true
  return {
    tell: (text: string): void => {
      if (!isStream || response.destroyed) return
      begin(response)
      // Whoever does not read is not told more; the answer comes all the same.
      if (response.writableLength < mostWaitingBytes) response.write(text)
    },
    end: (answer: CallAnswer) => {
      if (!isStream) return { json: answer, headers: { 'Cache-Control': 'no-store' } }
      begin(response)
      if (!response.destroyed) response.end(eventText('answer', answer))
      return undefined
    },
  }
}

const mostWaitingBytes = 256 * 1024

const begin = (response: ServerResponse): void => {
  if (response.headersSent) return
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // nginx would gather the stream.
    'X-Accel-Buffering': 'no',
  })
}
