import type { JsonObject } from '../model/json.js'
import { encodeHeaderValue } from './header-value.js'

/** An argument that a tool wants mirrored into `Mcp-Param-{header}` (`x-mcp-header` in its input schema). */
export interface HeaderParam {
  readonly header: string
  /** Where the argument is: property names from the root. */
  readonly path: readonly string[]
  readonly type: 'string' | 'integer' | 'boolean'
}

export type HeaderParams =
  | { readonly ok: true; readonly params: readonly HeaderParam[] }
  | { readonly ok: false; readonly reason: string }

/** The mirrored arguments of a tool, or why its schema breaks the rules; HTTP clients must then leave the tool out. */
export const headerParams = (inputSchema: unknown): HeaderParams => {
  const walk: Walk = { params: [], names: new Set(), nodes: 0 }
  const reason = visit(inputSchema, [], true, walk)
  return reason === undefined ? { ok: true, params: walk.params } : { ok: false, reason }
}

/** The `Mcp-Param-*` headers for these arguments; absent and null arguments have none. */
export const paramHeaders = (params: readonly HeaderParam[], args: JsonObject | undefined): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (const param of params) {
    const text = headerText(argumentAt(args, param.path))
    if (text !== undefined) headers[`Mcp-Param-${param.header}`] = encodeHeaderValue(text)
  }
  return headers
}

/** The argument at a path of own properties; anything on the way that is not an object means absent. */
export const argumentAt = (args: unknown, path: readonly string[]): unknown => {
  let value = args
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

/** An argument as header text; objects and arrays cannot be one. */
const headerText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined

interface Walk {
  readonly params: HeaderParam[]
  readonly names: Set<string>
  nodes: number
}

const annotation = 'x-mcp-header'
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const maxNodes = 20_000
const maxDepth = 64

// Subschemas that a chain of `properties` does not pass: an annotation under one of them makes the tool invalid.
const single = [
  'items',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]
const listed = ['prefixItems', 'oneOf', 'anyOf', 'allOf', 'items']
const named = ['patternProperties', 'dependentSchemas', '$defs', 'definitions']

const visit = (node: unknown, path: readonly string[], reachable: boolean, walk: Walk): string | undefined => {
  if (!isObject(node)) return undefined
  if (++walk.nodes > maxNodes || path.length > maxDepth) return 'the schema is too large to look for x-mcp-header'
  const fault = Object.hasOwn(node, annotation) ? declare(node, path, reachable, walk) : undefined
  if (fault !== undefined) return fault
  for (const [name, child] of entriesOf(node.properties)) {
    const below = visit(child, [...path, name], reachable, walk)
    if (below !== undefined) return below
  }
  for (const child of hiddenSchemas(node)) {
    const below = visit(child, [...path, '*'], false, walk)
    if (below !== undefined) return below
  }
  return undefined
}

const declare = (
  node: Record<string, unknown>,
  path: readonly string[],
  reachable: boolean,
  walk: Walk,
): string | undefined => {
  const header = node[annotation]
  const { type } = node
  if (!reachable || path.length === 0) return 'x-mcp-header is only allowed on properties of properties of the root'
  if (typeof header !== 'string' || !token.test(header)) return 'x-mcp-header must be an HTTP token'
  if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
    return `x-mcp-header ${header} is on a property that is not a string, an integer or a boolean`
  }
  if (walk.names.has(header.toLowerCase())) return `x-mcp-header ${header} is used twice`
  walk.names.add(header.toLowerCase())
  walk.params.push({ header, path, type })
  return undefined
}

const hiddenSchemas = (node: Record<string, unknown>): unknown[] => [
  ...single.map((key) => node[key]),
  ...listed.flatMap((key) => (Array.isArray(node[key]) ? node[key] : [])),
  ...named.flatMap((key) => entriesOf(node[key]).map(([, child]) => child)),
]

const entriesOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : [])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
