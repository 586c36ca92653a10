import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { type GatewayError, isGatewayError } from '../errors.js'
import { isHttpError } from './http-error.js'
import { httpStatus } from './status.js'

/** One whole answer of prepared bytes or text. */
export const sendBody = (
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string | Buffer,
  headers?: Readonly<Record<string, string>>,
): void => {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  response.writeHead(status, {
    'Content-Type': contentType,
    'Content-Length': length,
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  })
  response.end(body)
}

/** One whole JSON answer. */
export const sendJson = (
  response: ServerResponse,
  status: number,
  value: unknown,
  headers?: Readonly<Record<string, string>>,
): void => sendBody(response, status, 'application/json', JSON.stringify(value), headers)

/** An error as HTTP tells it; shared by all faces that speak plain HTTP. */
export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly error: ErrorBody }
}

export interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  readonly requestId: string
}

/** How a refusal is told to whoever sent these headers. */
export type TellRefusal = (error: unknown, requestId: string, headers: IncomingHttpHeaders) => ErrorAnswer

/** What anything thrown becomes. A stranger's message may hold anything, so it stays in our log under the request's id. */
export const toErrorAnswer = (error: unknown, requestId: string): ErrorAnswer => {
  if (isHttpError(error)) return answer(error.status, error.code, error.message, requestId, error)
  if (!isGatewayError(error))
    return answer(500, 'INTERNAL', 'Something went wrong on our side.', requestId, {
      hint: 'The log of the server has the details under this requestId.',
    })
  const { retryAfterMs } = error
  const wait = retryAfterMs === undefined ? {} : { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) }
  const headers = { ...wait, ...whereItStands(error) }
  return answer(httpStatus[error.code], error.code, error.message, requestId, { headers })
}

const answer = (
  status: number,
  code: string,
  message: string,
  requestId: string,
  { hint, headers = {} }: { hint?: string | undefined; headers?: Readonly<Record<string, string>> | undefined },
): ErrorAnswer => ({
  status,
  headers,
  body: { error: { code, message, hint, requestId } },
})

/** Of what somebody was asked: where its state is told. */
const whereItStands = ({ code, details }: GatewayError): Readonly<Record<string, string>> =>
  code === 'APPROVAL_REQUIRED' && typeof details?.approval === 'string'
    ? { Location: `/api/v1/approvals/${encodeURIComponent(details.approval)}` }
    : {}
