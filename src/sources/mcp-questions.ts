import { GatewayError } from '../errors.js'
import type { RequestHandler } from '../mcp/client/inbound.js'
import { missingCapability } from '../mcp/questions.js'
import { isRpcError, RpcError, rpcCodes } from '../mcp/rpc-error.js'
import type { Asking, Question } from '../model/asking.js'
import { eitherOf } from '../model/cancel.js'
import { isRecord, type JsonObject } from '../model/json.js'
import type { SourceCall } from './source.js'

// A server that asks without end is answered with refusals after so many questions of one call.
const mostQuestions = 64

/** What a modern server asks for before it goes on, by the names it gave its questions. */
export const questionsOf = (requests: unknown): Readonly<Record<string, Question>> => {
  if (requests === undefined) return {}
  const entries = isRecord(requests) ? Object.entries(requests) : []
  const wellFormed =
    entries.length > 0 && entries.every(([, each]) => isRecord(each) && typeof each.method === 'string')
  if (!wellFormed || entries.length > mostQuestions)
    throw new GatewayError('RESULT_INVALID', 'The source asks for input in a form that the protocol does not allow.')
  return Object.fromEntries(entries.map(([key, each]) => [key, each as unknown as Question] as const))
}

/** One after the other: a person sees one dialog at a time. */
export const answersTo = async (
  questions: Readonly<Record<string, Question>>,
  context: SourceCall,
  asking: Asking,
): Promise<JsonObject> => {
  const resume = context.pause?.()
  try {
    const answers: [string, JsonObject][] = []
    for (const [key, question] of Object.entries(questions))
      answers.push([key, await asking.ask({ ...question, source: context.source }, context.cancel)])
    return Object.fromEntries(answers)
  } finally {
    resume?.()
  }
}

/** The server's requests during this call, put to the one who made the call. */
export const answerFor = (context: SourceCall): RequestHandler => {
  let asked = 0
  return async ({ method, params }, { cancel }) => {
    const question = { method, params, source: context.source }
    const { asking } = context.call
    if (!asking || missingCapability(question, asking.capabilities))
      throw new RpcError(rpcCodes.methodNotFound, `The caller did not declare that it answers ${method.slice(0, 64)}.`)
    if (++asked > mostQuestions)
      throw new RpcError(rpcCodes.invalidRequest, `A call may ask its caller at most ${mostQuestions} things.`)
    const resume = context.pause?.()
    try {
      return await asking.ask(question, eitherOf(cancel, context.cancel))
    } finally {
      resume?.()
    }
  }
}

/** The legacy error "open these addresses first", as the round trip that modern clients know instead of it. */
export const urlsOf = (error: unknown, { capabilities }: Asking): JsonObject | undefined => {
  if (!isRpcError(error) || error.code !== rpcCodes.urlElicitationRequired || !isRecord(error.data)) return undefined
  const listed = Array.isArray(error.data.elicitations) ? error.data.elicitations : []
  const requests = listed
    .filter(isRecord)
    .slice(0, mostQuestions)
    .map(({ elicitationId: _, ...params }, index) => {
      const question = { method: 'elicitation/create', params: { ...params, mode: 'url' } as JsonObject }
      return [`url-${index + 1}`, question] as const
    })
  if (requests.length === 0 || missingCapability(requests[0]![1], capabilities)) return undefined
  return { resultType: 'input_required', inputRequests: Object.fromEntries(requests) }
}

export const undeclared = (method: string): GatewayError =>
  new GatewayError(
    'RESULT_INVALID',
    `The source asks for ${method.slice(0, 64)}, which the caller did not declare; nobody was asked.`,
  )
