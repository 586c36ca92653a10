import type { MessagePort } from 'node:worker_threads'
import { type ErrorCode, GatewayError, isGatewayError, messageOf } from '../errors.js'
import { defined } from '../model/json.js'
import type { Outcome } from '../model/outcome.js'
import type { Tool } from '../model/tool.js'
import type { LogLevel } from '../telemetry/logger.js'
import type { McpServer } from './mcp-transport.js'

/** What the thread of the connections is started with. */
export interface ThreadData {
  readonly timeoutMs: number | undefined
  readonly startTimeoutMs: number | undefined
  readonly logs: boolean
  /** [0] counts answers to those who wait on the stack, [1] is 1 once the thread has ended. */
  readonly bell: Int32Array
}

export type ToThread =
  | { readonly type: 'open'; readonly id: number; readonly servers: readonly McpServer[] }
  | {
      readonly type: 'call'
      readonly id: number
      readonly tool: string
      readonly args: unknown
      readonly port?: MessagePort | undefined
    }
  | { readonly type: 'abort'; readonly id: number }
  | { readonly type: 'close'; readonly id: number }

export type FromThread =
  | { readonly type: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly type: 'refusal'; readonly id: number; readonly error: CarriedError }
  | {
      readonly type: 'log'
      readonly level: LogLevel
      readonly message: string
      readonly meta: Readonly<Record<string, unknown>> | undefined
      readonly service: string | undefined
    }

/** An opened transport: tools by the key they are called by over there. */
export interface CarriedServers {
  readonly tools: readonly { readonly key: string; readonly name: string; readonly tool: Tool }[]
  readonly failures: readonly { readonly server: string; readonly error: CarriedError }[]
}

export type CarriedOutcome =
  | Extract<Outcome, { readonly ok: true }>
  | { readonly ok: false; readonly error: CarriedError; readonly meta: Outcome['meta'] }

/** Errors lose their class and their own fields between threads. */
export interface CarriedError {
  readonly code: ErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly notSent: boolean
  readonly retryAfterMs: number | undefined
  readonly cause: string | undefined
}

export const carryError = (error: unknown): CarriedError => {
  const known = isGatewayError(error) ? error : new GatewayError('INTERNAL', messageOf(error))
  const { code, message, details, notSent, retryAfterMs, cause } = known
  return { code, message, details, notSent, retryAfterMs, cause: cause === undefined ? undefined : messageOf(cause) }
}

export const carriedError = ({ code, message, details, notSent, retryAfterMs, cause }: CarriedError): GatewayError =>
  new GatewayError(code, message, {
    notSent,
    details,
    retryAfterMs,
    ...defined({ cause: cause === undefined ? undefined : new Error(cause) }),
  })

export const carriedOutcome = (outcome: CarriedOutcome): Outcome =>
  outcome.ok ? outcome : { ...outcome, error: carriedError(outcome.error) }
