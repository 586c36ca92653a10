import type { ErrorCode } from '../errors.js'

/**
 * What only HTTP can get wrong. Kept apart from the list in `errors.ts`, since inside there is no HTTP; where a code of
 * that list says the same (ACCESS_DENIED, RATE_LIMITED, OVERLOADED) it is used instead of a new one.
 */
export const httpErrorCodes = [
  'REQUEST_INVALID',
  'HOST_REFUSED',
  'ORIGIN_REFUSED',
  'ROUTE_NOT_FOUND',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'UNAUTHENTICATED',
  'INSUFFICIENT_SCOPE',
  'SESSION_OVER',
  'BODY_TOO_LARGE',
  'BODY_ENCODED',
  'STOPPING',
] as const

export type HttpErrorCode = (typeof httpErrorCodes)[number]

export interface HttpErrorExtras {
  /** What the client can do about it. */
  readonly hint?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Facts for programs: what was wrong where. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly cause?: unknown
}

/**
 * A request refused before, or while, a route read it. It has no stack: none is ever shown, and strangers can have us refuse
 * them as often as they like (a fifth of what a 401 costs, measured).
 */
export class HttpError extends Error {
  override readonly name: string = 'HttpError'
  readonly hint: string | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(
    readonly status: number,
    readonly code: HttpErrorCode | ErrorCode,
    message: string,
    extras: HttpErrorExtras = {},
  ) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message, 'cause' in extras ? { cause: extras.cause } : undefined)
    Error.stackTraceLimit = stackTraceLimit
    this.hint = extras.hint
    this.headers = extras.headers
    this.details = extras.details
  }
}

/** By name and shape, since `instanceof` fails when two copies of a package meet. */
export const isHttpError = (error: unknown): error is HttpError =>
  error instanceof Error && error.name === 'HttpError' && 'status' in error && 'code' in error

/** 404: the path is one of ours, what it names is not there. */
export const notFound = (message: string, extras?: HttpErrorExtras): HttpError =>
  new HttpError(404, 'NOT_FOUND', message, extras)

/** 400: what the client sent cannot be read as a request to us. */
export const invalidRequest = (message: string, extras?: HttpErrorExtras): HttpError =>
  new HttpError(400, 'REQUEST_INVALID', message, extras)

/** 413, also for a declared length that nobody needs to read first. */
export const bodyTooLarge = (maxBytes: number): HttpError =>
  new HttpError(413, 'BODY_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`, {
    hint: 'Send less at once, or raise the limit of the server.',
  })

/** A chunk costs an event and an object whatever its size, so a body of one-byte chunks is dear: more than this is an attack. */
export const maxChunks = 65_536

export const tooManyChunks = (): HttpError =>
  new HttpError(413, 'BODY_TOO_LARGE', `The body came in more than ${maxChunks} pieces.`, {
    hint: 'Send it with a Content-Length, or in larger chunks.',
  })

export const noMemory = (): HttpError =>
  new HttpError(503, 'OVERLOADED', 'Too many large requests are being read at once.', {
    hint: 'Try again in a moment.',
    headers: { 'Retry-After': '1' },
  })

/** 403 where everybody must show a certificate. The connection ends: the next one may shake hands with one. */
export const certificateNeeded = (): HttpError =>
  new HttpError(403, 'ACCESS_DENIED', 'A client certificate is needed, of an authority in server.tls.ca.', {
    headers: { Connection: 'close' },
  })
