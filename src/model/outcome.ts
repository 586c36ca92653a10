import type { GatewayError } from '../errors.js'
import type { RunId } from './call.js'
import type { Answer } from './result.js'

export interface OutcomeMeta {
  readonly latencyMs: number
  /** How often the tool was really asked: 0 when the call was refused before. */
  readonly attempts: number
  /** The source that was asked; undefined when no tool was found. */
  readonly source: string | undefined
  readonly cached: boolean
  /** Of a call that ran a script: which run that was. */
  readonly run?: RunId | undefined
}

/** How every call ends, whatever face asked. Faces translate it; nothing inside throws past it. */
export type Outcome =
  | { readonly ok: true; readonly answer: Answer; readonly meta: OutcomeMeta }
  | { readonly ok: false; readonly error: GatewayError; readonly meta: OutcomeMeta }
