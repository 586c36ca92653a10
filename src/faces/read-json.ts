import { isUtf8 } from 'node:buffer'
import { HttpError, invalidRequest } from '../http/http-error.js'
import type { HttpExchange } from '../http/route.js'
import { callerLimits } from '../mcp/parse.js'
import { type ScanFault, scanJson } from '../mcp/scan.js'

/** The JSON body of a request; undefined when there is none. The same bounds as for MCP: one call, whatever carried it. */
export const readJson = async (exchange: HttpExchange): Promise<unknown> =>
  parseJson(await exchange.readBody(), exchange)

/** The same where the bytes are there already, without a turn of the queue. */
export const parseJson = (body: Buffer, exchange: HttpExchange): unknown => {
  if (body.length === 0) return undefined
  // Only this type: a page of a stranger can send forms and plain text without asking, JSON it cannot (H88).
  if (!isJson(exchange.request.headers['content-type']))
    throw new HttpError(415, 'REQUEST_INVALID', 'The body must be JSON.', {
      hint: 'Send Content-Type: application/json.',
    })
  // toString would quietly replace bytes that are not UTF-8, and the tool would get other arguments (R62).
  if (!isUtf8(body)) throw invalidRequest('The body is not UTF-8.')
  return parse(body.toString('utf8'))
}

// As nearly everybody writes it; the expression costs more than reading a small body.
const isJson = (header: string | undefined): boolean =>
  header === 'application/json' ||
  (header !== undefined && /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(header))

const parse = (text: string): unknown => {
  const fault = scanJson(text, callerLimits)
  if (fault) throw invalidRequest(`The body cannot be read: ${faults[fault]}.`)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalidRequest('The body is not JSON.', { cause })
  }
}

const faults: Readonly<Record<ScanFault, string>> = {
  depth: `it is nested deeper than ${callerLimits.maxDepth} levels`,
  elements: `it has more than ${callerLimits.maxElements} values`,
  'duplicate-key': 'an object in it has the same key twice',
  'inexact-number': 'a number in it has more digits than can be kept; send it as a string',
}
