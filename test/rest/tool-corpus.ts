import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../src/model/json.js'
import type { ToolDefinition } from '../../src/model/tool.js'

/** Schemas in the manner of the libraries that MCP servers are written with, and the odd ones that real servers send. */
const styles: Readonly<Record<string, JsonObject>> = {
  pydantic: {
    $defs: {
      Address: { type: 'object', title: 'Address', properties: { city: { type: 'string' } }, required: ['city'] },
      Kind: { type: 'string', enum: ['a', 'b'], title: 'Kind' },
    },
    type: 'object',
    title: 'CreateArguments',
    properties: {
      address: { anyOf: [{ $ref: '#/$defs/Address' }, { type: 'null' }], default: null },
      kind: { $ref: '#/$defs/Kind', default: 'a' },
      tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      size: { exclusiveMinimum: 0, maximum: 100, type: 'integer' },
    },
    required: ['kind'],
  },
  zod: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1 },
      edits: {
        type: 'array',
        items: {
          type: 'object',
          properties: { oldText: { type: 'string' }, newText: { type: 'string' } },
          required: ['oldText', 'newText'],
          additionalProperties: false,
        },
      },
      dryRun: { type: 'boolean', default: false },
      mode: { anyOf: [{ const: 'fast' }, { const: 'slow' }] },
    },
    required: ['path', 'edits'],
    additionalProperties: false,
  },
  cyclic: {
    $defs: { Node: { type: 'object', properties: { value: { type: 'string' }, next: { $ref: '#/$defs/Node' } } } },
    type: 'object',
    properties: { root: { $ref: '#/$defs/Node' } },
  },
  union: {
    type: 'object',
    oneOf: [
      { properties: { id: { type: 'integer' } }, required: ['id'] },
      { properties: { name: { type: 'string' } }, required: ['name'] },
    ],
  },
  composed: {
    type: 'object',
    allOf: [
      { properties: { a: { type: 'number' } }, required: ['a'] },
      { properties: { b: { type: ['string', 'null'] } } },
    ],
  },
  free: {
    type: 'object',
    properties: { headers: { type: 'object', additionalProperties: { type: 'string' } }, any: {} },
  },
  tuple: {
    type: 'object',
    properties: { point: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], minItems: 2 } },
  },
  conditional: {
    type: 'object',
    properties: { kind: { enum: ['x', 1, null] }, x: { type: 'string' }, n: { type: ['integer', 'string'] } },
    if: { properties: { kind: { const: 'x' } } },
    then: { required: ['x'] },
    dependentRequired: { x: ['kind'] },
  },
  patterned: { type: 'object', patternProperties: { '^x-': { type: 'string' } }, minProperties: 1 },
  empty: { type: 'object' },
  untyped: { properties: { q: { description: 'anything' } } },
  odd: {
    type: 'object',
    properties: { 'with space': { type: 'string' }, 中文: { type: 'string' }, __proto__: { type: 'string' } },
  },
  deep: Array.from({ length: 12 }).reduce<JsonObject>(
    (inner) => ({ type: 'object', properties: { child: inner }, required: ['child'] }),
    { type: 'string' },
  ),
}

const names = (style: string): readonly string[] => [
  style,
  `${style}.get`,
  `${style}/list-all`,
  `${style} 创建`,
  `${'long_'.repeat(20)}${style}`,
  `9${style}`,
  `${style}__x`,
  `${style}:run`,
]

/** About a hundred tools of ours. */
export const ownCorpus = (): readonly ToolDefinition[] =>
  Object.entries(styles).flatMap(([style, inputSchema]) =>
    names(style).map((name) => ({ name, description: `Does ${style}`, inputSchema })),
  )

/** The folder of the public retrieval sets, where somebody has them: `PEGBOARD_EVAL`. */
export const evalFolder = process.env.PEGBOARD_EVAL

/** Their tools. Two sets spell types as Python does, which no MCP server could send. */
export const evalCorpus = (): readonly ToolDefinition[] => {
  if (evalFolder === undefined) return []
  const files = readdirSync(evalFolder).map((set) => join(evalFolder!, set, 'tools.jsonl'))
  return files.filter(existsSync).flatMap((file, set) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) =>
        JSON.parse(line.replace(/"type": ?"(\w+)"/g, (_, word: string) => `"type":"${spelled[word] ?? word}"`)),
      )
      .map(({ name, description, input_schema }) => ({
        name: `${set}-${name}`,
        description,
        inputSchema: input_schema ?? { type: 'object' },
      })),
  )
}

const spelled: Readonly<Record<string, string>> = {
  dict: 'object',
  float: 'number',
  tuple: 'array',
  list: 'array',
  int: 'integer',
  str: 'string',
  bool: 'boolean',
  any: 'string',
  set: 'array',
  HashMap: 'object',
  Boolean: 'boolean',
  String: 'string',
  Date: 'string',
  enum: 'string',
  file: 'string',
  date: 'string',
}
