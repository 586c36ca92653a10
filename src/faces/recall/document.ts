import type { JsonObject } from '../../model/json.js'
import { proxyPath, recallPath } from './face.js'

const text = { type: 'string', minLength: 1, maxLength: 512 }
const identity = { type: 'object', description: 'What identifies one instance' }

const account: JsonObject[] = ['x-account-id', 'x-account-type', 'x-business-domain', 'X-Language'].map((name) => ({
  name,
  in: 'header',
  schema: { type: 'string' },
}))

const error: JsonObject = {
  type: 'object',
  properties: Object.fromEntries(
    ['code', 'description', 'solution', 'link', 'details'].map((name) => [name, { type: 'string' }]),
  ),
  required: ['code', 'description'],
}

const responses = (description: string, schema: JsonObject): JsonObject => ({
  200: { description, content: { 'application/json': { schema } } },
  default: {
    description:
      'An error, in the language asked for; what is refused before the route (host, key, path) as everywhere else',
    content: { 'application/json': { schema: { anyOf: [error, { type: 'object', required: ['error'] }] } } },
  },
})

const dynamicTool: JsonObject = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    description: { type: 'string' },
    parameters: { type: 'object' },
    api_url: { type: 'string', format: 'uri' },
    original_schema: { type: 'object' },
    fixed_params: { type: 'object' },
    api_call_strategy: { const: 'kn_action_recall' },
  },
  required: ['name', 'description', 'parameters', 'api_url', 'fixed_params', 'api_call_strategy'],
}

/** Document 004's two routes, as paths of an OpenAPI document. */
export const recallPaths: JsonObject = {
  [recallPath]: {
    post: {
      operationId: 'getActionInfo',
      tags: ['recall'],
      summary: 'The tools that carry out an action',
      parameters: [
        { name: 'response_format', in: 'query', schema: { enum: ['json', 'toon'], default: 'json' } },
        ...account,
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                kn_id: text,
                at_id: text,
                _instance_identities: { type: 'array', items: identity, maxItems: 1000 },
                _instance_identity: identity,
              },
              required: ['kn_id', 'at_id'],
            },
          },
        },
      },
      responses: responses('The tools; none is no error', {
        type: 'object',
        properties: { headers: { type: 'object' }, _dynamic_tools: { type: 'array', items: dynamicTool } },
        required: ['headers', '_dynamic_tools'],
      }),
    },
  },
  [proxyPath.replace(/:(\w+)/g, '{$1}')]: {
    post: {
      operationId: 'callMcpTool',
      tags: ['recall'],
      summary: 'Call a recalled tool with flat arguments',
      parameters: [
        ...['mcp_id', 'tool_name'].map((name) => ({ name, in: 'path', required: true, schema: text })),
        ...account,
      ],
      requestBody: { required: false, content: { 'application/json': { schema: { type: 'object' } } } },
      responses: responses("The tool's answer as it came", {
        type: 'object',
        properties: { content: { type: 'array' }, isError: { type: 'boolean' } },
      }),
    },
  },
}
