import { isRecord } from '../../model/json.js'

/** As much of a message as a bridge must know. The id is its JSON text, as `JSON.stringify` would write it. */
export type PeekedMessage =
  | { readonly kind: 'request'; readonly id: string; readonly method: string }
  | { readonly kind: 'response'; readonly id: string }
  | { readonly kind: 'notification'; readonly method: string }

const headBytes = 256
const tailBytes = 128

// An id without escapes; with some, or with characters beyond ASCII, the whole message is read instead.
const id = String.raw`(-?\d{1,16}|"[\x20\x21\x23-\x5b\x5d-\x7e]{0,64}")`
const idFirst = new RegExp(String.raw`^\{"jsonrpc":"2\.0","id":${id},"(?:method":"([\w/.$-]+)"|result"|error")`)
const methodFirst = /^\{(?:"jsonrpc":"2\.0",)?"method":"([\w/.$-]+)"/
const answerFirst = /^\{(?:"jsonrpc":"2\.0",)?"(?:result|error)":/
const idLast = new RegExp(String.raw`[\]}"\w],"(?:jsonrpc":"2\.0","id":${id}|id":${id}(?:,"jsonrpc":"2\.0")?)\}\s*$`)

/**
 * What a line is, without parsing it: programs write the id right at its start or at its very end, where it can belong to
 * nothing but the message itself. Whoever writes otherwise pays for the parsing. Undefined for what is no message.
 */
export const glanceAt = (line: Buffer): PeekedMessage | undefined => {
  const head = line.toString('latin1', 0, headBytes)
  const first = idFirst.exec(head)
  if (first) return toGlance(first[1]!, first[2])
  const method = methodFirst.exec(head)?.[1]
  if (method === undefined && !answerFirst.test(head)) return readWhole(line)
  const last = idLast.exec(line.toString('latin1', Math.max(0, line.length - tailBytes)))
  if (last) return toGlance((last[1] ?? last[2])!, method)
  return method?.startsWith('notifications/') ? { kind: 'notification', method } : readWhole(line)
}

const toGlance = (found: string, method: string | undefined): PeekedMessage =>
  method === undefined ? { kind: 'response', id: found } : { kind: 'request', id: found, method }

const readWhole = (line: Buffer): PeekedMessage | undefined => {
  try {
    const message: unknown = JSON.parse(line.toString('utf8'))
    if (!isRecord(message)) return undefined
    const { id: given, method } = message
    const known = typeof given === 'string' || typeof given === 'number' ? JSON.stringify(given) : undefined
    if (typeof method === 'string')
      return known === undefined ? { kind: 'notification', method } : { kind: 'request', id: known, method }
    return known === undefined ? undefined : { kind: 'response', id: known }
  } catch {
    return undefined
  }
}
