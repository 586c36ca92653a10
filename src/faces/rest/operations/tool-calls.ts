import type { Gateway } from '../../../gateway.js'
import { invalidRequest } from '../../../http/http-error.js'
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
import { answerMessage, messageFormats, type ReadMessage, readMessage } from '../../../providers/messages.js'
import type { FindRestProfile } from '../profile.js'
import { profileField } from '../schemas.js'
import { toCall } from '../to-call.js'

const mostCalls = 128

const query = closed({
  profile: profileField,
  provider: described(
    choice(messageFormats),
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
      const message = read(request)
      if (message.calls.length > mostCalls) throw invalidRequest(`The message has more than ${mostCalls} tool calls.`)
      const { caller, exchange } = request
      const messages = await answerMessage(message, {
        gateway,
        caller,
        signal: exchange.cancel,
        toCall: (tool, args) => toCall(request, findProfile, { tool, args }),
      })
      return { json: { provider: message.format, messages } }
    },
  })

const read = ({ body, query }: ToolCallsRequest): ReadMessage => {
  const found = readMessage(body, query.provider)
  if (found) return found
  throw invalidRequest('The body is no message of a provider that is known here.', {
    hint: 'Send the message with the tool calls as the provider gave it, or name the provider in the query.',
  })
}
