import { providerFormats } from '../../catalog/provider-tools.js'
import type { JsonObject } from '../../model/json.js'

/** Query fields and shapes that several operations share. */
export const profileField: JsonObject = {
  type: 'string',
  maxLength: 64,
  description: 'The profile to look through. Default: the one of your key, else the default profile',
}

export const formatField: JsonObject = {
  type: 'string',
  enum: [...providerFormats],
  description: 'Whose words the tools are in. Default: our own',
}

export const toolIdParam = 'Canonical id (calc.add) or advertised name (calc__add), percent-encoded'

/** An object of these fields and no others. */
export const closed = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
})

export const lossesSchema: JsonObject = {
  type: 'array',
  description: 'What the format could not carry, tool by tool',
  items: {
    type: 'object',
    properties: {
      tool: { type: 'string' },
      losses: {
        type: 'array',
        items: {
          type: 'object',
          properties: { path: { type: 'string' }, keyword: { type: 'string' }, reason: { type: 'string' } },
        },
      },
    },
  },
}

/** MCP's CallToolResult. */
export const resultSchema: JsonObject = {
  type: 'object',
  properties: {
    content: { type: 'array', items: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] } },
    structuredContent: { description: 'The same as data, where the tool gave data' },
    isError: { type: 'boolean', description: 'The tool was asked and said no' },
  },
  required: ['content'],
}

export const errorSchema: JsonObject = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        hint: { type: 'string' },
        requestId: { type: 'string' },
        details: { type: 'object' },
      },
      required: ['code', 'message', 'requestId'],
    },
  },
  required: ['error'],
}
