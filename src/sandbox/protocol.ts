import { isRecord } from '../model/json.js'
import type { ScriptLimitName, ScriptLimits } from './limits.js'

/** What the thread is told. Strings and numbers alone: nothing of ours is within a script's reach. */
export type ToScriptThread =
  | {
      readonly type: 'run'
      readonly id: number
      readonly script: string
      readonly limits: ScriptLimits
      /** JSON. */
      readonly input: string
      readonly seed: number
      /** What the script's clock says: milliseconds since the epoch. */
      readonly now: number
    }
  | { readonly type: 'answer'; readonly id: number; readonly n: number; readonly answer: ScriptAnswer }
  /** The script is at rest and nobody wants it any more. */
  | { readonly type: 'drop'; readonly id: number }

/** What a call came to, as the script is told. */
export type ScriptAnswer =
  | { readonly ok: true; readonly json: string }
  | {
      readonly ok: false
      readonly code: string
      readonly message: string
      /** JSON, where there are any. */
      readonly details?: string | undefined
    }

/** A call of the script's: its number, counted from 1, and the arguments as JSON. */
export interface ScriptCall {
  readonly n: number
  readonly tool: string
  readonly args: string
}

export type FromScriptThread =
  | { readonly type: 'ready' }
  /** The script has come to rest: what it called meanwhile, and how many answers it had been given. */
  | { readonly type: 'turn'; readonly id: number; readonly calls: readonly ScriptCall[]; readonly answered: number }
  | {
      readonly type: 'end'
      readonly id: number
      readonly calls: readonly ScriptCall[]
      readonly end: GuestEnd
      readonly logs: readonly string[]
      readonly dropped: number
      readonly cpuMs: number
      readonly memoryBytes: number
    }

/** How a script ended, by its own word and the engine's. */
export type GuestEnd =
  | { readonly kind: 'value'; readonly json: string }
  | {
      readonly kind: 'threw'
      /** Does not parse. */
      readonly syntax: boolean
      /** Of a `ToolError` that nobody caught. */
      readonly code: string
      readonly message: string
      readonly line: number | undefined
    }
  | {
      readonly kind: 'limit'
      readonly limit: ScriptLimitName
      readonly message: string
      readonly line: number | undefined
    }

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isString = (value: unknown): value is string => typeof value === 'string'
const isLine = (value: unknown): boolean => value === undefined || isNumber(value)

/** What the thread said, or undefined where it is nothing that a thread of ours says: then it is ended. */
export const parseFromScriptThread = (message: unknown): FromScriptThread | undefined => {
  if (!isRecord(message)) return undefined
  if (message.type === 'ready') return { type: 'ready' }
  if (!isNumber(message.id) || !Array.isArray(message.calls) || !message.calls.every(isCall)) return undefined
  if (message.type === 'turn') return isNumber(message.answered) ? (message as FromScriptThread) : undefined
  const isEnd =
    message.type === 'end' &&
    isGuestEnd(message.end) &&
    Array.isArray(message.logs) &&
    message.logs.every(isString) &&
    isNumber(message.dropped) &&
    isNumber(message.cpuMs) &&
    isNumber(message.memoryBytes)
  return isEnd ? (message as FromScriptThread) : undefined
}

const isCall = (value: unknown): boolean =>
  isRecord(value) && isNumber(value.n) && isString(value.tool) && isString(value.args)

const isGuestEnd = (value: unknown): boolean => {
  if (!isRecord(value)) return false
  if (value.kind === 'value') return isString(value.json)
  if (!isString(value.message) || !isLine(value.line)) return false
  if (value.kind === 'limit') return isString(value.limit)
  return value.kind === 'threw' && isString(value.code) && typeof value.syntax === 'boolean'
}

/** Two numbers that both threads see: since when the script computes (0: it rests), and how long it did before that. */
export const newMeter = (): Float64Array => new Float64Array(new SharedArrayBuffer(16))
export const meterSince = 0
export const meterUsed = 1

/** One clock for all threads of the process. */
export const processMs = (): number => Number(process.hrtime.bigint()) / 1e6
