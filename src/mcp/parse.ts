import { isUtf8 } from 'node:buffer'
import { isRecord, type JsonObject } from '../model/json.js'
import type { RpcMessage, RpcResponse } from './message.js'
import { isRpcError, RpcError, type RpcId, rpcCodes } from './rpc-error.js'
import { type ScanFault, type ScanLimits, scanJson, stringEnd } from './scan.js'
import { isPlainObject, scanAnswer } from './scan-bytes.js'

export interface ParseLimits extends ScanLimits {
  readonly maxBytes: number
  /** Lists are read entry by entry, so that one entry out of bounds takes nothing but itself out. */
  readonly lenientLists?: boolean | undefined
  /** Results stay bytes until somebody reads them. */
  readonly rawResults?: boolean | undefined
}

/** For messages from callers: everything strict, since what we decide on must be what runs (T26). */
export const callerLimits: ParseLimits = Object.freeze({
  maxBytes: 4 * 1024 * 1024,
  maxDepth: 64,
  maxElements: 200_000,
  maxKeys: 20_000,
  duplicateDepth: Number.POSITIVE_INFINITY,
  inexactNumbers: 'refuse',
})

/**
 * For answers of a source: larger, and repeated keys inside a result are let pass. Of such a result we hand on what we
 * parsed and never the text, so nobody after us can read it another way.
 */
export const sourceLimits: ParseLimits = Object.freeze({
  maxBytes: 16 * 1024 * 1024,
  maxDepth: 64,
  maxElements: 1_000_000,
  maxKeys: 50_000,
  duplicateDepth: 1,
  inexactNumbers: 'refuse',
  lenientLists: true,
  rawResults: true,
})

/** One JSON-RPC message out of untrusted bytes, or an RpcError that carries the id when it could be read. */
export const parseMessage = (input: Buffer | string, limits: ParseLimits = callerLimits): RpcMessage => {
  const bytes = typeof input === 'string' ? Buffer.byteLength(input) : input.length
  if (bytes > limits.maxBytes) throw tooLarge(bytes, limits.maxBytes)
  // Nearly all that comes: one pass over the bytes, nothing made for it.
  if (typeof input !== 'string' && isPlainObject(input, limits))
    return toMessage(parseJson(input.toString('utf8')), bytes)
  // Much that is no message is not made into text first: a server may send nothing else.
  if (typeof input !== 'string' && bytes > longestNoise && !beginsList(input)) throw notJson()
  // toString would quietly write U+FFFD over bytes that are not UTF-8, and the tool would get other arguments (R62).
  if (typeof input !== 'string' && !isUtf8(input)) throw new RpcError(rpcCodes.parseError, 'The message is not UTF-8.')
  const text = typeof input === 'string' ? input : input.toString('utf8')
  const fault = scanJson(text, limits)
  if (!fault) return toMessage(parseJson(text), bytes)
  const listed = limits.lenientLists ? readListedResult(text, limits) : undefined
  if (listed !== undefined) return toMessage(listed, bytes)
  throw new RpcError(rpcCodes.invalidRequest, faultMessage(fault, limits), { id: peekId(text) })
}

/** Who takes what was read: an object, so that a request can be its own and needs no functions made for it. */
export interface MessageSink {
  onMessage(message: RpcMessage): void
  onRefused(error: RpcError): void
}

/** Parses untrusted bytes; what is no message goes to `onRefused` instead of being thrown. */
export const readMessage = (data: Buffer, limits: ParseLimits, sink: MessageSink): void => {
  let message: RpcMessage | undefined
  try {
    if (limits.rawResults && data.length <= limits.maxBytes) message = scanAnswer(data, limits)
    message ??= parseMessage(data, limits)
  } catch (error) {
    if (!isRpcError(error)) throw error
    sink.onRefused(error)
    return
  }
  sink.onMessage(message)
}

/** A parsed value as a message; for input that is JSON already, such as a WebSocket library's own parse in a test. */
export const toMessage = (value: unknown, bytes = 0): RpcMessage => {
  if (Array.isArray(value)) throw invalid('Batches are not supported: send one message at a time.')
  if (typeof value !== 'object' || value === null) throw invalid('A message is a JSON object.')
  const envelope = value as Envelope
  checkKeys(envelope)
  const id = readId(envelope)
  if (envelope.jsonrpc !== '2.0') throw invalid('"jsonrpc" must be "2.0".', id)
  if (envelope.method === undefined) return toResponse(envelope, id, bytes)
  if ('result' in envelope || 'error' in envelope) throw invalid('A message has a method or an answer, not both.', id)
  const { method } = envelope
  if (typeof method !== 'string' || method === '' || method.length > longestMethod) {
    throw invalid(`"method" must be a string of 1 to ${longestMethod} characters.`, id)
  }
  const params = readParams(envelope, id)
  if (!('id' in envelope)) return { kind: 'notification', method, params, bytes }
  if (id === null) throw invalid('"id" must be a string or an integer.')
  return { kind: 'request', id, method, params, bytes }
}

interface Envelope {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: unknown
}

const longestMethod = 256
const longestId = 1024

const known: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error'])

// A parser that folds case would take `Method` or `paramſ` for the real key and run something we did not check (T26, R41).
const checkKeys = (envelope: object): void => {
  for (const key of Object.keys(envelope)) {
    if (known.has(key)) continue
    if (known.has(key.normalize('NFKC').toLowerCase())) {
      throw invalid('A key of the message only looks like a JSON-RPC key: spell it in lower case.')
    }
  }
}

const readId = (envelope: Envelope): RpcId | null => {
  const { id } = envelope
  if (id === undefined || id === null) return null
  if (typeof id === 'number' && Number.isSafeInteger(id)) return id
  if (typeof id === 'string' && id.length <= longestId) return id
  throw invalid(`"id" must be an integer or a string of at most ${longestId} characters.`)
}

const readParams = (envelope: Envelope, id: RpcId | null): JsonObject | undefined => {
  const { params } = envelope
  // null is how several clients write "no params"; JSON-RPC says to leave the key out.
  if (params === undefined || params === null) return undefined
  if (typeof params === 'object' && !Array.isArray(params)) return params as JsonObject
  throw new RpcError(rpcCodes.invalidParams, '"params" must be an object.', { id, httpStatus: 400 })
}

const toResponse = (envelope: Envelope, id: RpcId | null, bytes: number): RpcResponse => {
  const hasResult = envelope.result !== undefined
  if (hasResult === (envelope.error !== undefined)) {
    throw invalid('A message needs a method, a result or an error, and only one of them.', id)
  }
  if (!hasResult) return { kind: 'failure', id, error: readError(envelope.error, id), bytes }
  if (id === null) throw invalid('A result needs the id of its request.')
  return { kind: 'result', id, result: envelope.result, bytes }
}

const readError = (value: unknown, id: RpcId | null): { code: number; message: string; data?: unknown } => {
  const { code, message, data } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  if (!Number.isSafeInteger(code) || typeof message !== 'string') {
    throw invalid('"error" needs an integer code and a message.', id)
  }
  return { code: code as number, message, data }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // V8's message quotes the text, which may hold arguments; the reason is not worth the leak.
    throw notJson()
  }
}

const notJson = (): RpcError => new RpcError(rpcCodes.parseError, 'The message is not valid JSON.')

const longestNoise = 1024
const openers: ReadonlySet<number | undefined> = new Set([0x7b, 0x5b])
const blanks: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d])

/** Whether it could be an object, or a batch, which is refused in its own words. */
const beginsList = (bytes: Buffer): boolean => {
  let at = 0
  while (blanks.has(bytes[at])) at += 1
  return openers.has(bytes[at])
}

const invalid = (message: string, id: RpcId | null = null): RpcError =>
  new RpcError(rpcCodes.invalidRequest, message, { id })

const tooLarge = (bytes: number, maxBytes: number): RpcError =>
  new RpcError(rpcCodes.invalidRequest, `The message has ${bytes} bytes; at most ${maxBytes} are accepted.`, {
    httpStatus: 413,
  })

const faultMessage = (fault: ScanFault, limits: ParseLimits): string => {
  switch (fault) {
    case 'depth':
      return `The message is nested deeper than ${limits.maxDepth} levels.`
    case 'elements':
      return `The message has more than ${limits.maxElements} values.`
    case 'keys':
      return `The message has more than ${limits.maxKeys} different keys: send a list of pairs instead.`
    case 'duplicate-key':
      return 'An object in the message has the same key twice.'
    case 'inexact-number':
      return 'A number in the message has more digits than can be kept: send it as a string.'
  }
}

// Twice what a schema of 64 nested objects needs, so that whatever was cut is refused as too deep by whoever reads it.
const deepest = 256

const lists = ['tools', 'prompts', 'resources', 'resourceTemplates']

/**
 * The answer to a list request in which a single entry is nested too deeply or holds a number with too many digits. One
 * entry must not hide the others: what is too deep is cut, numbers are rounded, and the reader judges entry by entry.
 * Undefined when it is no list, or is out of bounds otherwise.
 */
const readListedResult = (text: string, limits: ScanLimits): unknown => {
  if (scanJson(text, { ...limits, maxDepth: Number.POSITIVE_INFINITY, inexactNumbers: 'round' })) return undefined
  const message = parse(text)
  if (!isRecord(message) || !isRecord(message.result)) return undefined
  const { result } = message
  if (!lists.some((key) => Array.isArray(result[key]))) return undefined
  cut(message)
  return message
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Without recursion, since the depth is a stranger's choice. */
const cut = (root: object): void => {
  let level: object[] = [root]
  for (let depth = 1; level.length > 0; depth++) {
    const next: object[] = []
    for (const node of level as Record<string, unknown>[]) {
      for (const key of Object.keys(node)) {
        const child = node[key]
        if (typeof child !== 'object' || child === null) continue
        if (depth < deepest) next.push(child)
        else node[key] = null
      }
    }
    level = next
  }
}

/**
 * The id of a message that is refused before it is parsed, so that its sender learns which one. Null when there is
 * none, or more than one: an ambiguous id would answer the wrong request.
 */
const peekId = (text: string): RpcId | null => {
  let depth = 0
  let found: RpcId | null = null
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    else if (character === '"') {
      const end = stringEnd(text, at + 1)
      if (end < 0) return found
      if (depth === 1 && end - at === 3 && text.startsWith('"id"', at)) {
        if (found !== null) return null
        found = idAfter(text, end + 1)
      }
      at = end
    }
  }
  return found
}

// Longer than any id we accept; a window keeps the search from copying the whole text.
const windowLength = 1100

const idAfter = (text: string, from: number): RpcId | null => {
  const literal = /^\s*:\s*(-?\d{1,15}|"(?:[^"\\]|\\.)*")\s*[,}]/.exec(text.slice(from, from + windowLength))?.[1]
  if (literal === undefined) return null
  try {
    return JSON.parse(literal) as RpcId
  } catch {
    return null
  }
}
