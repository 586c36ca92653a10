import { isUtf8 } from 'node:buffer'
import type { JsonObject } from '../model/json.js'
import { RpcError, rpcCodes } from './rpc-error.js'

/** Headers as Node gives them: names in lower case. */
export type HeaderBag = Readonly<Record<string, string | readonly string[] | undefined>>

/** One header's value; a repeated header is joined, so that no half of it can be picked. */
export const headerOf = (headers: HeaderBag, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : value?.join(', ')
}

/** The member of `params` that a method names its object by, and so mirrors into `Mcp-Name`. */
export const nameMember = (method: string): 'name' | 'uri' | 'taskId' | undefined => namedMethods.get(method)

const namedMethods: ReadonlyMap<string, 'name' | 'uri' | 'taskId'> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

export interface MirroredRequest {
  readonly version: string
  readonly method: string
  readonly params: JsonObject | undefined
  /** Of the tool that is called; see `headerParams`. */
  readonly headerParams?: readonly HeaderParam[] | undefined
}

/** What a modern client repeats of the body in headers, so that intermediaries can route without reading it. */
export const requestHeaders = (request: MirroredRequest): Record<string, string> => {
  const member = nameMember(request.method)
  const name = member && request.params?.[member]
  const headers: Record<string, string> = { 'MCP-Protocol-Version': request.version, 'Mcp-Method': request.method }
  if (typeof name === 'string') headers['Mcp-Name'] = encodeHeaderValue(name)
  if (!request.headerParams || request.headerParams.length === 0) return headers
  return { ...headers, ...paramHeaders(request.headerParams, argumentsOf(request.params)) }
}

/**
 * The refusal of a modern request whose headers and body disagree, or undefined. Whoever reads the body must check:
 * an intermediary may have decided by the headers alone (T26).
 */
export const checkHeaders = (request: MirroredRequest, headers: HeaderBag): RpcError | undefined =>
  checkStandardHeaders(request, headers) ?? checkParamHeaders(request, headers)

const checkStandardHeaders = (request: MirroredRequest, headers: HeaderBag): RpcError | undefined => {
  const fault =
    plainFault(headers, 'mcp-protocol-version', request.version) ?? plainFault(headers, 'mcp-method', request.method)
  if (fault) return fault
  const member = nameMember(request.method)
  const name = member && request.params?.[member]
  // A missing or wrong name is the method's own refusal (-32602); there is nothing to compare the header with.
  if (typeof name !== 'string') return undefined
  const header = headerOf(headers, 'mcp-name')
  if (header === undefined) return missing('Mcp-Name')
  return decodeHeaderValue(header.trim()) === name ? undefined : mismatch('Mcp-Name')
}

const checkParamHeaders = (request: MirroredRequest, headers: HeaderBag): RpcError | undefined => {
  const args = argumentsOf(request.params)
  for (const param of request.headerParams ?? []) {
    const name = `Mcp-Param-${param.header}`
    const header = headerOf(headers, name.toLowerCase())
    const value = argumentAt(args, param.path)
    const absent = value === undefined || value === null
    if (absent && header === undefined) continue
    if (absent) return mismatch(name)
    if (header === undefined) return missing(name)
    if (!sameValue(header.trim(), value)) return mismatch(name)
  }
  return undefined
}

const plainFault = (headers: HeaderBag, name: string, expected: string): RpcError | undefined => {
  const header = headerOf(headers, name)
  if (header === undefined) return missing(name)
  return header.trim() === expected ? undefined : mismatch(name)
}

// 42 and 42.0 are one integer to JSON, so they are one integer here (R52).
const sameValue = (header: string, value: unknown): boolean => {
  const text = decodeHeaderValue(header)
  if (text === undefined) return false
  if (typeof value !== 'number') return text === String(value)
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) && Number(text) === value
}

const argumentsOf = (params: JsonObject | undefined): JsonObject | undefined => {
  const args = params?.arguments
  return typeof args === 'object' && args !== null && !Array.isArray(args) ? (args as JsonObject) : undefined
}

const missing = (name: string): RpcError =>
  new RpcError(rpcCodes.headerMismatch, `The ${name} header is required and must repeat what the body says.`)

const mismatch = (name: string): RpcError =>
  new RpcError(rpcCodes.headerMismatch, `The ${name} header does not match the body.`)

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
  // Nearly none has any, and looking for the word is much faster than looking everywhere it may stand.
  if (!mentions(inputSchema)) return { ok: true, params: [] }
  const walk: Walk = { params: [], names: new Set(), nodes: 0 }
  const reason = visit(inputSchema, [], true, walk)
  return reason === undefined ? { ok: true, params: walk.params } : { ok: false, reason }
}

const mentions = (schema: unknown): boolean => {
  try {
    return (JSON.stringify(schema) ?? '').includes(annotation)
  } catch {
    // A program's own schema may hold itself; then the walk says so.
    return true
  }
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

const prefix = '=?base64?'
const suffix = '?='

/** A value as `Mcp-Name` and `Mcp-Param-*` carry it: plain where a header can hold it, else base64 of its UTF-8. */
export const encodeHeaderValue = (value: string): string =>
  isPlain(value) ? value : `${prefix}${Buffer.from(value, 'utf8').toString('base64')}${suffix}`

/** The value behind a header, or undefined when the header is not one that `encodeHeaderValue` could have written. */
export const decodeHeaderValue = (header: string): string | undefined => {
  if (!looksEncoded(header)) return isVisible(header) ? header : undefined
  const encoded = header.slice(prefix.length, -suffix.length)
  const bytes = Buffer.from(encoded, 'base64')
  // Node skips what is not base64; only a text that encodes back to itself is taken, or two texts would name one tool.
  if (bytes.toString('base64') !== encoded || !isUtf8(bytes)) return undefined
  return bytes.toString('utf8')
}

const looksEncoded = (value: string): boolean =>
  value.length >= prefix.length + suffix.length && value.startsWith(prefix) && value.endsWith(suffix)

const isPlain = (value: string): boolean =>
  value !== '' && isVisible(value) && !looksEncoded(value) && value.trim() === value

const isVisible = (value: string): boolean => {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}

/** What a client reads, by its `Accept`. */
export interface Accepted {
  readonly header: string | undefined
  readonly streams: boolean
  readonly json: boolean
}

export const acceptedBy = (header: string | undefined): Accepted => ({
  header,
  streams: accepts(header, 'text/event-stream'),
  json: accepts(header, 'application/json'),
})

/** A missing header accepts all, as HTTP says. */
export const accepts = (header: string | undefined, type: string): boolean => {
  if (header === undefined) return true
  const [family] = type.split('/')
  return header
    .split(',')
    .some((part) => [type, `${family}/*`, '*/*'].includes(part.split(';', 1)[0]!.trim().toLowerCase()))
}

/** Whether a Content-Type says JSON in UTF-8. */
export const isJson = (header: string | undefined): boolean =>
  header === 'application/json' ||
  (header !== undefined && /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(header))
