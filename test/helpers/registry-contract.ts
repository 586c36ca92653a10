import type { JsonObject } from '../../src/model/json.js'
import { createSchemas, formatProblems } from '../../src/schema/schemas.js'

/**
 * What the published OpenAPI of the registry (2025-12-01) says of its answers, as schemas of our own: stricter where it leaves
 * open what a reader needs.
 */
const time: JsonObject = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$',
}
const inputFields = {
  description: { type: 'string' },
  isRequired: { type: 'boolean' },
  format: { enum: ['string', 'number', 'boolean', 'filepath'] },
  value: { type: 'string' },
  isSecret: { type: 'boolean' },
  default: { type: 'string' },
  placeholder: { type: 'string' },
  choices: { type: 'array', items: { type: 'string' } },
} as const
const variables: JsonObject = {
  type: 'object',
  additionalProperties: { type: 'object', properties: inputFields, additionalProperties: false },
}
const keyValue: JsonObject = {
  type: 'object',
  required: ['name'],
  properties: { ...inputFields, variables, name: { type: 'string', minLength: 1 } },
  additionalProperties: false,
}
const argument: JsonObject = {
  oneOf: [
    {
      type: 'object',
      required: ['type'],
      properties: {
        ...inputFields,
        variables,
        type: { const: 'positional' },
        valueHint: { type: 'string' },
        isRepeated: { type: 'boolean' },
      },
      anyOf: [{ required: ['valueHint'] }, { required: ['value'] }],
      additionalProperties: false,
    },
    {
      type: 'object',
      required: ['type', 'name'],
      properties: {
        ...inputFields,
        variables,
        type: { const: 'named' },
        name: { type: 'string', minLength: 1 },
        isRepeated: { type: 'boolean' },
      },
      additionalProperties: false,
    },
  ],
}
const address: JsonObject = { type: 'string', pattern: '^(https?://[^\\s]+|\\{[a-zA-Z_][a-zA-Z0-9_]*\\}[^\\s]*)$' }
const web = (type: string): JsonObject => ({
  type: 'object',
  required: ['type', 'url'],
  properties: { type: { const: type }, url: address, headers: { type: 'array', items: keyValue }, variables },
  additionalProperties: false,
})
const stdio: JsonObject = {
  type: 'object',
  required: ['type'],
  properties: { type: { const: 'stdio' } },
  additionalProperties: false,
}
const packaged: JsonObject = {
  type: 'object',
  required: ['registryType', 'identifier', 'transport'],
  properties: {
    registryType: { type: 'string' },
    registryBaseUrl: { type: 'string' },
    identifier: { type: 'string', minLength: 1 },
    version: { type: 'string', minLength: 1, not: { const: 'latest' } },
    fileSha256: { type: 'string', pattern: '^[a-f0-9]{64}$' },
    runtimeHint: { type: 'string' },
    transport: { anyOf: [stdio, web('streamable-http'), web('sse')] },
    runtimeArguments: { type: 'array', items: argument },
    packageArguments: { type: 'array', items: argument },
    environmentVariables: { type: 'array', items: keyValue },
  },
  additionalProperties: false,
}
const server: JsonObject = {
  type: 'object',
  required: ['name', 'description', 'version'],
  properties: {
    name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    version: { type: 'string', minLength: 1, maxLength: 255, not: { pattern: '^[\\^~<>=]|[*]$' } },
    $schema: { type: 'string', pattern: '^https://' },
    packages: { type: 'array', items: packaged },
    remotes: { type: 'array', items: { anyOf: [web('streamable-http'), web('sse')] } },
  },
}
const response: JsonObject = {
  type: 'object',
  required: ['server', '_meta'],
  properties: {
    server,
    _meta: {
      type: 'object',
      required: ['io.modelcontextprotocol.registry/official'],
      properties: {
        'io.modelcontextprotocol.registry/official': {
          type: 'object',
          required: ['status', 'publishedAt', 'updatedAt', 'isLatest'],
          properties: {
            status: { enum: ['active', 'deprecated', 'deleted'] },
            statusMessage: { type: 'string', maxLength: 500 },
            statusChangedAt: time,
            publishedAt: time,
            updatedAt: time,
            isLatest: { type: 'boolean' },
          },
          additionalProperties: false,
        },
      },
    },
  },
  additionalProperties: false,
}

export const registryContract = {
  list: {
    type: 'object',
    required: ['servers', 'metadata'],
    properties: {
      servers: { type: 'array', items: response },
      metadata: {
        type: 'object',
        required: ['count'],
        properties: { nextCursor: { type: 'string', minLength: 1 }, count: { type: 'integer', minimum: 0 } },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  },
  version: response,
  error: { type: 'object', required: ['error'], properties: { error: { type: 'string', minLength: 1 } } },
} as const satisfies Record<string, JsonObject>

const schemas = createSchemas()

/** What of an answer is not as the document has it; empty where all of it is. */
export const breaches = (contract: keyof typeof registryContract, value: unknown): string => {
  const checked = schemas.validator(registryContract[contract]).check(value)
  return checked.ok ? '' : formatProblems(checked.problems)
}
