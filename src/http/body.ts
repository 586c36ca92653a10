import type { IncomingMessage } from 'node:http'
import { HttpError, invalidRequest } from './http-error.js'

/** The memory that all bodies being read share; one counter per host. */
export interface BodyBudget {
  readonly maxBytes: number
  usedBytes: number
}

const empty = Buffer.alloc(0)
// A chunk costs an event and an object whatever its size, so a body of one-byte chunks is dear: more than this is an attack.
const maxChunks = 65_536
// Joined early, or tiny chunks would hold a hundred times their bytes.
const joinAfter = 256
// What is thrown away after a refusal, so that the client can still read the answer; a reset could overtake it.
const maxDiscardedBytes = 64 * 1024 * 1024

/** The whole body within its bounds, never holding more than them. */
export const readBody = (request: IncomingMessage, maxBytes: number, budget: BodyBudget): Promise<Buffer> => {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (length === undefined && encoding === undefined) return Promise.resolve(empty)
  if (length !== undefined && Number(length) > maxBytes) return Promise.reject(bodyTooLarge(maxBytes))
  return new Promise((resolve, reject) => collect(request, maxBytes, budget, resolve, reject))
}

const collect = (
  request: IncomingMessage,
  maxBytes: number,
  budget: BodyBudget,
  resolve: (body: Buffer) => void,
  reject: (error: HttpError) => void,
): void => {
  let blocks: Buffer[] = []
  let recent: Buffer[] = []
  let bytes = 0
  let chunks = 0
  let done = false

  // Listeners stay: taking four of them off costs more than they do, and they go with the request.
  const fail = (error: HttpError) => {
    if (done) return
    done = true
    budget.usedBytes -= bytes
    blocks = recent = []
    reject(error)
  }
  const onData = (chunk: Buffer) => {
    if (done) return
    bytes += chunk.length
    budget.usedBytes += chunk.length
    if (bytes > maxBytes) return fail(bodyTooLarge(maxBytes))
    if (++chunks > maxChunks) return fail(tooManyChunks())
    if (budget.usedBytes > budget.maxBytes) return fail(noMemory())
    if (recent.push(chunk) < joinAfter) return
    blocks.push(Buffer.concat(recent))
    recent = []
  }
  const onEnd = () => {
    if (done) return
    done = true
    budget.usedBytes -= bytes
    resolve(chunks === 1 ? recent[0]! : Buffer.concat([...blocks, ...recent], bytes))
  }
  const onClose = () => {
    if (!done) fail(invalidRequest('The connection closed before the whole body had come.'))
  }

  request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
}

/** Throws away what is left of a refused request's body. Too much of it ends the connection. */
export const discardBody = (request: IncomingMessage): void => {
  if (request.complete || request.destroyed) return
  let bytes = 0
  request.on('error', () => {})
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxDiscardedBytes) request.destroy()
  })
}

/** 413, also for a declared length that nobody needs to read first. */
export const bodyTooLarge = (maxBytes: number): HttpError =>
  new HttpError(413, 'BODY_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`, {
    hint: 'Send less at once, or raise the limit of the server.',
  })

const tooManyChunks = (): HttpError =>
  new HttpError(413, 'BODY_TOO_LARGE', `The body came in more than ${maxChunks} pieces.`, {
    hint: 'Send it with a Content-Length, or in larger chunks.',
  })

const noMemory = (): HttpError =>
  new HttpError(503, 'OVERLOADED', 'Too many large requests are being read at once.', {
    hint: 'Try again in a moment.',
    headers: { 'Retry-After': '1' },
  })
