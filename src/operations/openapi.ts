import type { Language } from '../http/language.js'
import { defined, isRecord, type JsonObject, type JsonValue } from '../model/json.js'
import { type AnswerDoc, type Operation, operation } from './operation.js'
import { chineseKey, closed, type Words, words } from './shape.js'
import { errorSchema, translatedErrors } from './told-error.js'

export interface DocumentOptions {
  /** What it describes; asked when somebody reads the document. */
  readonly operations: () => readonly Operation[]
  readonly version: string
  readonly about: Words
}

/** The OpenAPI 3.1 document of these operations, in one language: the schemas that check requests, printed. */
export const openApiDocument = (options: DocumentOptions, language: Language = 'en-US'): JsonObject => {
  const say: Say = (told) => (language === 'zh-Hans' ? told.zh : told.en)
  const paths: Record<string, Record<string, JsonValue>> = {}
  for (const each of options.operations()) {
    const path = templateOf(each.path)
    paths[path] = { ...paths[path], [each.method.toLowerCase()]: describe(each, say) }
  }
  return inOneLanguage(
    {
      openapi: '3.1.0',
      info: {
        title: 'Pegboard',
        version: options.version,
        description: say(options.about),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      security: [{}, { bearer: [] }, { key: [] }],
      paths,
      components: {
        schemas: { Error: errorSchema },
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        },
      },
    },
    language,
  )
}

/** The operation that gives back such a document, in the reader's language. */
export const documentOperation = (
  { path, right, tag }: Pick<Operation, 'path' | 'right' | 'tag'>,
  options: DocumentOptions,
): Operation => {
  const made = new Map<Language, Buffer>()
  const textIn = (language: Language): Buffer => {
    const known = made.get(language) ?? Buffer.from(JSON.stringify(openApiDocument(options, language)))
    made.set(language, known)
    return known
  }
  return operation({
    id: 'openApi',
    method: 'GET',
    path,
    right,
    tag,
    summary: words('This document', '本文档'),
    query: closed({}),
    answers: { 200: { description: words('OpenAPI 3.1', 'OpenAPI 3.1') } },
    run: ({ language }) => {
      const told = language === 'zh-Hans' ? { 'Content-Language': language } : {}
      return { text: textIn(language), headers: { 'Cache-Control': 'no-cache', ...told } }
    },
  })
}

type Say = (told: Words) => string

const templateOf = (path: string): string => path.replace(/:([^/]+)/g, '{$1}')

const describe = (each: Operation, say: Say): JsonObject =>
  defined({
    operationId: each.id,
    tags: [each.tag],
    summary: say(each.summary),
    description: say(words(`Needs the right "${each.right}".`, `需要权限 "${each.right}"。`)),
    security: each.right === 'open' ? [] : undefined,
    parameters: [...pathParameters(each, say), ...queryParameters(each), ...headerParameters(each)],
    requestBody:
      each.body === undefined
        ? undefined
        : { required: each.bodyOptional !== true, content: { 'application/json': { schema: each.body } } },
    responses: responsesOf(each, say),
  })

const pathParameters = ({ params = {} }: Operation, say: Say): JsonObject[] =>
  Object.entries(params).map(([name, told]) => ({
    name,
    in: 'path',
    required: true,
    description: say(told),
    schema: { type: 'string', minLength: 1 },
  }))

const queryParameters = ({ query }: Operation): JsonObject[] =>
  Object.entries((query?.properties ?? {}) as JsonObject).map(([name, field]) => {
    const { description, [chineseKey]: chinese, ...schema } = field as JsonObject
    const isList = schema.type === 'array'
    return defined({
      name,
      in: 'query',
      description,
      [chineseKey]: chinese,
      style: isList ? 'form' : undefined,
      explode: isList ? false : undefined,
      schema,
    })
  })

const headerParameters = ({ headers = [], errors = translatedErrors }: Operation): JsonObject[] => [
  ...headers.map((name) => ({ name, in: 'header', schema: { type: 'string' } })),
  ...(errors.tell ? [languageParameter] : []),
]

const languageParameter: JsonObject = {
  name: 'X-Language',
  in: 'header',
  description: 'The language of error messages, before Accept-Language',
  [chineseKey]: '错误消息的语言，优先于 Accept-Language',
  schema: { type: 'string', examples: ['en-US', 'zh-CN'] },
}

const responsesOf = ({ answers, errors = translatedErrors }: Operation, say: Say): JsonObject => ({
  ...Object.fromEntries(
    Object.entries(answers).map(([status, { description, ...answer }]) => [
      status,
      { description: say(description), ...contentOf(answer) },
    ]),
  ),
  default: { description: say(errors.description), content: { 'application/json': { schema: errors.schema } } },
})

const contentOf = ({ schema, type, also }: Omit<AnswerDoc, 'description'>): JsonObject => {
  if (schema === undefined && type === undefined) return {}
  const other = also === undefined ? {} : { [also]: {} }
  return { content: { [type ?? 'application/json']: schema === undefined ? {} : { schema }, ...other } }
}

/** Of each description that is there twice, the one that is asked for. */
const inOneLanguage = <T extends JsonValue | undefined>(value: T, language: Language): T => {
  if (Array.isArray(value)) return value.map((each) => inOneLanguage(each, language)) as unknown as T
  if (!isRecord(value)) return value
  const { [chineseKey]: chinese, ...rest } = value as JsonObject
  const told = language === 'zh-Hans' && typeof chinese === 'string' ? { ...rest, description: chinese } : rest
  return Object.fromEntries(Object.entries(told).map(([key, each]) => [key, inOneLanguage(each, language)])) as T
}
