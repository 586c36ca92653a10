import type { Gateway } from '../../../gateway.js'
import { invalidRequest } from '../../../http/http-error.js'
import { toToolResult } from '../../../model/answer.js'
import { isRecord } from '../../../model/json.js'
import { type ToolResult, textResult } from '../../../model/result.js'
import type { Tool } from '../../../model/tool.js'
import { type Operation, type OperationRequest, operation } from '../../../operations/operation.js'
import {
  anyObject,
  choice,
  closed,
  described,
  list,
  shape,
  text,
  type ValueOf,
  words,
} from '../../../operations/shape.js'
import { dropAddedNulls } from '../../../schema/projections/strict-arguments.js'
import { searchToolName } from '../deferred.js'
import { anthropic } from '../dialects/anthropic.js'
import type { Answered, AskedCall, Dialect } from '../dialects/dialect.js'
import { gemini } from '../dialects/gemini.js'
import { openAiChat } from '../dialects/openai-chat.js'
import { openAiResponses } from '../dialects/openai-responses.js'
import type { FindRestProfile } from '../profile.js'
import { profileField } from '../schemas.js'
import { toCall } from '../to-call.js'
import { inParallel } from './call-batch.js'

const dialects: readonly Dialect[] = [openAiChat, anthropic, gemini, openAiResponses]
const mostCalls = 128

const query = closed({
  profile: profileField,
  provider: described(
    choice(dialects.map(({ name }) => name)),
    'Whose message it is. Default: read from its form',
    '消息来自哪家模型服务。默认：由消息的形式判断',
  ),
})

type ToolCallsRequest = OperationRequest<ValueOf<typeof query>>

/** `POST /api/v1/tool-calls`: a model's message in, the messages to append to its conversation out. */
export const toolCalls = (gateway: Gateway, findProfile: FindRestProfile): Operation =>
  operation({
    id: 'answerToolCalls',
    method: 'POST',
    path: '/api/v1/tool-calls',
    right: 'call',
    tag: 'calls',
    summary: words(
      "Run the tool calls of a provider's message and answer in its words",
      '执行模型消息中的工具调用，并按该模型服务的格式应答',
    ),
    query,
    body: described(
      { type: ['object', 'array'] },
      'As the provider gave it: a Chat Completions message or completion, a Responses response or its output, an Anthropic message, a Gemini content or response',
      '模型服务给出的原样内容：Chat Completions 的 message 或 completion、Responses 的 response 或其 output、Anthropic 的 message、Gemini 的 content 或 response',
    ),
    answers: {
      200: {
        description: words(
          'What to append to the conversation; a call that failed is answered so that the model can correct it',
          '要追加到对话中的消息；失败的调用也有应答，模型可据此更正',
        ),
        schema: shape({ provider: text(), messages: list(anyObject()) }),
      },
    },
    run: async (request) => {
      const { dialect, calls } = readCalls(request)
      if (calls.length > mostCalls) throw invalidRequest(`The message has more than ${mostCalls} tool calls.`)
      const answered = await inParallel(calls, 16, (asked) => answerOne(gateway, findProfile, dialect, asked, request))
      return { json: { provider: dialect.name, messages: dialect.answer(answered) } }
    },
  })

const readCalls = ({ body, query }: ToolCallsRequest): { dialect: Dialect; calls: readonly AskedCall[] } => {
  for (const dialect of dialects) {
    if (query.provider !== undefined && query.provider !== dialect.name) continue
    const calls = dialect.read(body)
    if (calls) return { dialect, calls }
  }
  throw invalidRequest('The body is no message of a provider that is known here.', {
    hint: 'Send the message with the tool calls as the provider gave it, or name the provider in the query.',
  })
}

const answerOne = async (
  gateway: Gateway,
  findProfile: FindRestProfile,
  dialect: Dialect,
  asked: AskedCall,
  request: ToolCallsRequest,
): Promise<Answered> => {
  const { caller } = request
  if (asked.problem !== undefined) return { asked, result: textResult(asked.problem, { isError: true }) }
  const tool = gateway.find(asked.name, caller)
  if (isSearch(asked, tool, dialect)) return search(gateway, asked, request)
  // Strict modes make models write null for what they leave out; the tool's own schema decides what that means.
  const args = tool ? dropAddedNulls(asked.args, tool.definition.inputSchema) : asked.args
  const outcome = await gateway.call(toCall(request, findProfile, tool?.id ?? asked.name, args))
  // A refusal goes to the model as the tool's answer: it is the one who can correct the call.
  const result: ToolResult = outcome.ok
    ? toToolResult(outcome.answer)
    : textResult(outcome.error.message, { isError: true })
  return { asked, result }
}

/** Where the provider loads tools on demand, our search answers in its references; elsewhere the board's own tool does. */
const isSearch = ({ search: theirs, name }: AskedCall, tool: Tool | undefined, dialect: Dialect): boolean =>
  theirs === true || (name === searchToolName && (!tool || (tool.own === true && dialect.name === 'anthropic')))

const search = async (
  gateway: Gateway,
  asked: AskedCall,
  { caller, exchange }: ToolCallsRequest,
): Promise<Answered> => {
  const { query, limit } = isRecord(asked.args) ? asked.args : {}
  if (typeof query !== 'string')
    return { asked, result: textResult('Say in `query` what the tool should do.', { isError: true }) }
  const most = typeof limit === 'number' && limit >= 1 && limit <= 20 ? Math.floor(limit) : 5
  const { results } = await gateway.search(query.slice(0, 10_000), { limit: most, signal: exchange.signal }, caller)
  return { asked, found: results.map(({ tool }) => tool) }
}
