import type { JsonObject } from '../model/json.js'
import { argumentAt, type HeaderParam, paramHeaders } from './header-params.js'
import { decodeHeaderValue, encodeHeaderValue } from './header-value.js'
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
