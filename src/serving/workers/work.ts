import type { ErrorCode } from '../../errors.js'
import type { Listening } from '../../http/host.js'
import type { JsonObject } from '../../model/json.js'

/** What a worker asks of its parent. */
export interface ParentWork {
  /** Resolves when the parent is ready for it. */
  begin(): Promise<WorkerOrders>
  /** It serves, with this certificate. */
  serves(listening: Listening, pin: { readonly pin?: string | undefined }): Promise<void>
  /** It cannot, and ends. */
  failed(problem: WorkerProblem): Promise<void>
  changed(pin: { readonly pin?: string | undefined }): Promise<void>
  asked(): Promise<void>
  metrics(): Promise<string>
}

/** What the parent asks of a worker. */
export interface WorkerWork {
  /** Goes on serving while it says that it is not ready; `isAsked` if anybody looks at that. */
  drain(isAsked: boolean): Promise<void>
  stop(): Promise<void>
  metrics(): Promise<string>
}

export interface WorkerOrders {
  /** From 1. */
  readonly number: number
  readonly replica: string
  readonly localKey: string
  /** The parent keeps the data; without that each worker opens it as the configuration says. */
  readonly isKept: boolean
  readonly host: string
  readonly port: number
}

export interface WorkerProblem {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: JsonObject | undefined
}
