import type { Gateway } from '../../../gateway.js'
import { invalidRequest } from '../../../http/http-error.js'
import { toToolResult } from '../../../model/answer.js'
import { isRecord } from '../../../model/json.js'
import { type ToolResult, textResult } from '../../../model/result.js'
import type { Tool } from '../../../model/tool.js'
import { dropAddedNulls } from '../../../schema/projections/strict-arguments.js'
import { searchToolName } from '../deferred.js'
import { anthropic } from '../dialects/anthropic.js'
import type { Answered, AskedCall, Dialect } from '../dialects/dialect.js'
import { gemini } from '../dialects/gemini.js'
import { openAiChat } from '../dialects/openai-chat.js'
import { openAiResponses } from '../dialects/openai-responses.js'
import type { Operation, RestRequest } from '../operation.js'
import { defaultProfile, type FindRestProfile } from '../profile.js'
import { closed, profileField } from '../schemas.js'
import { traceContext } from '../trace-context.js'
import { inParallel } from './call-batch.js'

const dialects: readonly Dialect[] = [openAiChat, anthropic, gemini, openAiResponses]
const mostCalls = 128

/** `POST /api/v1/tool-calls`: a model's message in, the messages to append to its conversation out. */
export const toolCalls = (gateway: Gateway, findProfile: FindRestProfile): Operation => ({
  id: 'answerToolCalls',
  method: 'POST',
  path: '/api/v1/tool-calls',
  right: 'call',
  tag: 'calls',
  summary: "Run the tool calls of a provider's message and answer in its words",
  query: closed({
    profile: profileField,
    provider: {
      type: 'string',
      enum: dialects.map(({ name }) => name),
      description: 'Whose message it is. Default: read from its form',
    },
  }),
  body: {
    type: ['object', 'array'],
    description:
      'As the provider gave it: a Chat Completions message or completion, a Responses response or its output, an Anthropic message, a Gemini content or response',
  },
  answers: {
    200: {
      description:
        'What to append to the conversation; a call that failed is answered so that the model can correct it',
      schema: {
        type: 'object',
        properties: { provider: { type: 'string' }, messages: { type: 'array', items: { type: 'object' } } },
        required: ['provider', 'messages'],
      },
    },
  },
  run: async (request) => {
    const { dialect, calls } = readCalls(request)
    if (calls.length > mostCalls) throw invalidRequest(`The message has more than ${mostCalls} tool calls.`)
    const answered = await inParallel(calls, 16, (asked) => answerOne(gateway, findProfile, dialect, asked, request))
    return { json: { provider: dialect.name, messages: dialect.answer(answered) } }
  },
})

const readCalls = ({ body, query }: RestRequest): { dialect: Dialect; calls: readonly AskedCall[] } => {
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
  request: RestRequest,
): Promise<Answered> => {
  const { caller, exchange } = request
  if (asked.problem !== undefined) return { asked, result: textResult(asked.problem, { isError: true }) }
  const tool = gateway.find(asked.name, caller)
  if (isSearch(asked, tool, dialect)) return search(gateway, asked, request)
  const maxResultBytes = findProfile(caller.profile ?? defaultProfile)?.maxResultBytes
  const outcome = await gateway.call({
    tool: tool?.id ?? asked.name,
    // Strict modes make models write null for what they leave out; the tool's own schema decides what that means.
    args: tool ? dropAddedNulls(asked.args, tool.definition.inputSchema) : asked.args,
    caller,
    signal: exchange.cancel,
    ...traceContext(exchange.request.headers),
    ...(maxResultBytes === undefined ? {} : { maxResultBytes }),
  })
  // A refusal goes to the model as the tool's answer: it is the one who can correct the call.
  const result: ToolResult = outcome.ok
    ? toToolResult(outcome.answer)
    : textResult(outcome.error.message, { isError: true })
  return { asked, result }
}

/** Where the provider loads tools on demand, our search answers in its references; elsewhere the board's own tool does. */
const isSearch = ({ search: theirs, name }: AskedCall, tool: Tool | undefined, dialect: Dialect): boolean =>
  theirs === true || (name === searchToolName && (!tool || (tool.own === true && dialect.name === 'anthropic')))

const search = async (gateway: Gateway, asked: AskedCall, { caller, exchange }: RestRequest): Promise<Answered> => {
  const { query, limit } = isRecord(asked.args) ? asked.args : {}
  if (typeof query !== 'string')
    return { asked, result: textResult('Say in `query` what the tool should do.', { isError: true }) }
  const most = typeof limit === 'number' && limit >= 1 && limit <= 20 ? Math.floor(limit) : 5
  const { results } = await gateway.search(query.slice(0, 10_000), { limit: most, signal: exchange.signal }, caller)
  return { asked, found: results.map(({ tool }) => tool) }
}
