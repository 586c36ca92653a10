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
import type { CancelSignal } from '../../model/cancel.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import type { Outcome } from '../../model/outcome.js'
import type { Reply } from '../../operations/operation.js'
import { createSchemas } from '../../schema/schemas.js'
import type { AskedQuestion, CallAnswer, CallEvents, CallOrder, CheckedArguments } from './try-tool.js'

export interface TriedCall {
  readonly gateway: Gateway
  readonly others: Others | undefined
  readonly exchange: HttpExchange
  readonly signal: CancelSignal
  readonly caller: Caller
  /** As its source has it. */
  readonly id: string
  readonly order: CallOrder
}

/** Makes the call, or goes on with one that waits; its answer, or what it asks first. */
export const callByHand = async ({
  gateway,
  others,
  exchange,
  signal,
  caller,
  id,
  order,
}: TriedCall): Promise<Reply> => {
  // By the name that this caller is shown: under its own, one that was renamed is unknown.
  const tool = shownTo(gateway, id, caller)?.id ?? id
  const wire = createWire(exchange)
  const request = { method: 'tools/call', params: { name: tool, arguments: order.args, requestState: order.state } }
  const visit: Visit = { caller, request, signal, notify: wire.tell }
  try {
    return wire.end(await answerOf(gateway, visit, tool, order))
  } catch (error) {
    if (error instanceof WaitsElsewhere && others && exchange.passedBy === undefined) {
      const isPassed = await others.pass(exchange, error.replica, { body: JSON.stringify(order) })
      if (isPassed) return undefined
    }
    throw isRpcError(error) ? overNow(error) : error
  }
}

/** What of the arguments does not fit the tool as this caller is shown it. */
export const checkArguments = (gateway: Gateway, id: string, caller: Caller, args: unknown): CheckedArguments => {
  const shown = shownTo(gateway, id, caller)
  if (!shown) throw unknown(id)
  const found = schemas.validator(shown.definition.inputSchema).check(args)
  // What takes too long to find out, the call itself will say.
  if (found.ok || found.outOfTime) return { problems: [] }
  return { problems: found.problems.map(({ path, keyword, message }) => ({ path, keyword, message })) }
}

// A person would rather know that a date is none; calls themselves are not held to formats.
const schemas = createSchemas({ formats: 'assert' })

const byConsole: CallOrigin = { face: 'console' }

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
