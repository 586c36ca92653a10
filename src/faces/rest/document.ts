import type { JsonObject, JsonValue } from '../../model/json.js'
import type { AnswerDoc, Operation } from './operation.js'
import { errorSchema } from './schemas.js'

/** The OpenAPI 3.1 document of these operations: the schemas that check requests, printed. */
export const openApiDocument = (
  operations: readonly Operation[],
  version: string,
  morePaths: JsonObject = {},
): JsonObject => {
  const paths: Record<string, Record<string, JsonValue>> = {}
  for (const operation of operations) {
    const path = templateOf(operation.path)
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pegboard',
      version,
      description: 'One board for every tool your agents use: list, search, describe and call them.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{}, { bearer: [] }, { key: [] }],
    paths: { ...paths, ...morePaths },
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
  }
}

const templateOf = (path: string): string => path.replace(/:([^/]+)/g, '{$1}')

const describe = (operation: Operation): JsonObject => ({
  operationId: operation.id,
  tags: [operation.tag],
  summary: operation.summary,
  description: `Needs the right "${operation.right}".`,
  ...(operation.right === 'open' ? { security: [] } : {}),
  parameters: [...pathParameters(operation), ...queryParameters(operation), languageParameter],
  ...(operation.body === undefined
    ? {}
    : {
        requestBody: {
          required: operation.bodyOptional !== true,
          content: { 'application/json': { schema: operation.body } },
        },
      }),
  responses: responsesOf(operation),
})

const pathParameters = ({ params = {} }: Operation): JsonObject[] =>
  Object.entries(params).map(([name, description]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string', minLength: 1 },
  }))

const queryParameters = ({ query }: Operation): JsonObject[] =>
  Object.entries((query?.properties ?? {}) as JsonObject).map(([name, field]) => {
    const { description, ...schema } = field as JsonObject
    return {
      name,
      in: 'query',
      ...(description === undefined ? {} : { description }),
      ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
      schema,
    }
  })

const languageParameter: JsonObject = {
  name: 'X-Language',
  in: 'header',
  description: 'The language of error messages, before Accept-Language',
  schema: { type: 'string', examples: ['en-US', 'zh-CN'] },
}

const responsesOf = ({ answers }: Operation): JsonObject => ({
  ...Object.fromEntries(
    Object.entries(answers).map(([status, { description, ...answer }]) => [
      status,
      { description, ...contentOf(answer) },
    ]),
  ),
  default: {
    description: 'An error; the body is the same for all of them',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  },
})

const contentOf = ({ schema, type, also }: Omit<AnswerDoc, 'description'>): JsonObject => {
  if (schema === undefined && type === undefined) return {}
  const other = also === undefined ? {} : { [also]: {} }
  return { content: { [type ?? 'application/json']: schema === undefined ? {} : { schema }, ...other } }
}
