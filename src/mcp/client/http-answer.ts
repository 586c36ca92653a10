import type { GatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import { defined } from '../../model/json.js'
import { type ParseLimits, parseMessage } from '../parse.js'
import { isRpcError, RpcError, rpcCodes } from '../rpc-error.js'
import { invalidAnswer, unavailable } from './failure.js'
import type { HttpAnswer } from './http-dispatch.js'

/** The failure that an HTTP answer other than 2xx means; JSON-RPC errors inside keep their code and data. */
export const answerFailure = (
  answer: HttpAnswer,
  context: {
    readonly place: string
    readonly hadSession: boolean
    readonly limits: ParseLimits
    readonly clock: Clock
  },
): GatewayError | RpcError => {
  const { status } = answer
  if (status >= 300 && status < 400) return redirected(answer, context.place)
  const rpc = rpcErrorIn(answer, context.limits)
  const lost = status === 404 && context.hadSession && rpc?.code !== rpcCodes.methodNotFound
  if (rpc && !lost && !isRefusal(status)) return rpc
  const retryAfterMs = retryAfter(answer, context.clock)
  return unavailable(messageFor(status, lost, context.place), {
    details: { status, ...defined({ sessionLost: lost ? true : undefined }), ...challenge(answer) },
    notSent: lost || unprocessed.has(status),
    ...defined({ cause: rpc }),
    retryAfterMs,
  })
}

// A server, or whatever stands before it, says by these that it did not look at the request's contents.
const unprocessed: ReadonlySet<number> = new Set([401, 405, 407, 413, 415, 429, 431])

/** Statuses about access, load and faults: what a JSON-RPC body adds to them says nothing of the era or the tool. */
export const isRefusal = (status: number): boolean =>
  status === 401 || status === 403 || status === 407 || status === 408 || status === 429 || status >= 500

const redirected = (answer: HttpAnswer, place: string): GatewayError => {
  const location = answer.header('location') ?? ''
  const target = URL.canParse(location, place) ? new URL(location, place).origin : 'elsewhere'
  return unavailable(`${place} redirects to ${target}, which is not followed: put the final address into the url.`, {
    details: { status: answer.status },
    notSent: true,
  })
}

const rpcErrorIn = (answer: HttpAnswer, limits: ParseLimits): RpcError | undefined => {
  if (answer.type !== 'application/json' || answer.body.length === 0) return undefined
  try {
    const message = parseMessage(answer.body, limits)
    if (message.kind !== 'failure') return undefined
    const { code, message: words, data } = message.error
    return new RpcError(code, words, { data, httpStatus: answer.status })
  } catch (error) {
    if (isRpcError(error)) return undefined
    throw error
  }
}

const messageFor = (status: number, lost: boolean, place: string): string => {
  if (lost) return `${place} no longer knows our session.`
  if (status === 401 || status === 407)
    return `${place} wants credentials (${status}): set an Authorization header, or sign in.`
  if (status === 403) return `${place} refuses these credentials (403).`
  if (status === 404 || status === 405) {
    return `${place} has no MCP endpoint at this path (${status}): check the url, or try the type "sse".`
  }
  if (status === 429) return `${place} asks to slow down (429).`
  return `${place} answered with HTTP status ${status}.`
}

const challenge = (answer: HttpAnswer): { readonly wwwAuthenticate?: string | undefined } => {
  const value = answer.header('www-authenticate')
  return value === undefined ? {} : { wwwAuthenticate: value.slice(0, 2048) }
}

const longestRetryMs = 3_600_000

/** Seconds or a date (RFC 9110), as milliseconds from now. */
const retryAfter = (answer: HttpAnswer, clock: Clock): number | undefined => {
  const value = (answer.header('retry-after') ?? '').trim()
  if (value === '') return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - clock.wall()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), longestRetryMs)
}

/** The refusal of a 2xx that holds no answer in a form we know. */
export const unexpectedAnswer = (answer: HttpAnswer, place: string): GatewayError =>
  invalidAnswer(
    answer.body.length === 0 && answer.type === ''
      ? `${place} accepted the request (${answer.status}) but did not answer it.`
      : `${place} answered with the type "${answer.type.slice(0, 64)}" instead of JSON or an event stream: is this an MCP endpoint?`,
    { details: { status: answer.status, type: answer.type.slice(0, 64) } },
  )
