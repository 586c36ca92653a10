import { isUtf8 } from 'node:buffer'
import { sourceLimits } from '../mcp/parse.js'
import { scanJson } from '../mcp/scan.js'
import { isRecord } from '../model/json.js'

export interface RpcAnswer {
  /** Undefined when the program left it out, as simple ones do. */
  readonly id: string | undefined
  readonly error: unknown
  readonly result: unknown
}

/**
 * One line of a program as an answer; undefined for what is none (a log line, a banner). Laxer than the MCP wire: 000's
 * programs answer with any `error` at all, and some without the rest of the envelope. The bounds are the same.
 */
export const readRpcAnswer = (line: Buffer): RpcAnswer | undefined => {
  if (!isUtf8(line)) return undefined
  const text = line.toString('utf8')
  if (scanJson(text, { ...sourceLimits, inexactNumbers: 'round' }) !== undefined) return undefined
  const value = parse(text)
  if (!isRecord(value) || 'method' in value) return undefined
  const { id, error = null, result } = value
  return { id: id === undefined || id === null ? undefined : String(id), error, result: result ?? {} }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
