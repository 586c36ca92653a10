import type { ServerResponse } from 'node:http'
import type { OpenExchange } from './exchange.js'
import { invalidRequest } from './http-error.js'

const exposed = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After, ETag'

/** Lets a page read the answer. Only for origins that `checkHeaders` passed; never `*`, never with cookies. */
export const allowOrigin = (response: ServerResponse, origin: string): void => {
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Access-Control-Expose-Headers', exposed)
  response.setHeader('Vary', 'Origin')
}

/** OPTIONS: what the path answers to and, for a page's preflight, that it may ask. */
export const answerOptions = ({ request, response }: OpenExchange, allow: string): void => {
  response.setHeader('Allow', allow)
  if (request.headers.origin !== undefined && request.headers['access-control-request-method'] !== undefined) {
    response.setHeader('Access-Control-Allow-Methods', allow)
    response.setHeader('Access-Control-Max-Age', '600')
    const wanted = request.headers['access-control-request-headers']
    if (wanted !== undefined) response.setHeader('Access-Control-Allow-Headers', headerNames(wanted))
  }
  response.writeHead(204).end()
}

// Given back as asked: MCP's Mcp-Param-* headers have no end of names, and `*` would not cover Authorization.
const headerNames = (wanted: string): string => {
  if (wanted.length <= 4096 && /^[A-Za-z0-9_-]+(?: *, *[A-Za-z0-9_-]+)*$/.test(wanted)) return wanted
  throw invalidRequest('Access-Control-Request-Headers is not a list of header names.')
}
