import type { ErrorEnvelope } from '../../operations/operation.js'
import { anyObject, choice, described, flag, list, of, otherwise, shape, text, words } from '../../operations/shape.js'
import type { ActionQuery } from './actions.js'
import type { ResponseFormat } from './read-request.js'

/** Document 004's requests and answers, for the OpenAPI document; they are read in its own words (`read-request.ts`). */
export const accountHeaders = ['x-account-id', 'x-account-type', 'x-business-domain']

const id = text({ minLength: 1, maxLength: 512 })
const identity = described(anyObject(), 'What identifies one instance', '标识一个实例的内容')

export const recallQuery = of<{ readonly response_format: ResponseFormat }>({
  type: 'object',
  properties: { response_format: otherwise(choice(['json', 'toon']), 'json') },
})

export const recallBody = of<ActionQuery>({
  type: 'object',
  properties: {
    kn_id: id,
    at_id: id,
    _instance_identities: list(identity, { maxItems: 1000 }),
    _instance_identity: identity,
  },
  required: ['kn_id', 'at_id'],
})

const dynamicTool = shape(
  {
    name: text(),
    description: text(),
    parameters: anyObject(),
    api_url: text({ format: 'uri' }),
    fixed_params: anyObject(),
    api_call_strategy: of<'kn_action_recall'>({ const: 'kn_action_recall' }),
  },
  { original_schema: anyObject() },
)

export const recalled = shape({ headers: anyObject(), _dynamic_tools: list(dynamicTool) })

/** A tool's answer as it came. */
export const toolAnswer = shape({}, { content: { type: 'array' }, isError: flag() })

const error = shape({ code: text(), description: text() }, { solution: text(), link: text(), details: text() })

/** The body of its errors, without the words of what is refused before the route. */
export const recallErrorDoc: Omit<ErrorEnvelope, 'tell'> = {
  description: words(
    'An error, in the language asked for; what is refused before the route (host, key, path) as everywhere else',
    '错误，使用所请求的语言；到达路由之前被拒绝的请求（主机、密钥、路径）与其他接口相同',
  ),
  schema: { anyOf: [error, { type: 'object', required: ['error'] }] },
}
