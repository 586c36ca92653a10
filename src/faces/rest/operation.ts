import type { HttpExchange, Method, RouteRight } from '../../http/route.js'
import type { Caller } from '../../model/caller.js'
import type { JsonObject } from '../../model/json.js'
import type { Language } from '../language.js'

/** One answer an operation gives, for the OpenAPI document. */
export interface AnswerDoc {
  readonly description: string
  /** Default `application/json`. */
  readonly type?: string | undefined
  /** Another type it may be of, where that is asked for. */
  readonly also?: string | undefined
  readonly schema?: JsonObject | undefined
}

/**
 * One thing a program can ask. The schemas here check requests and are printed in the OpenAPI document, so the two
 * cannot disagree.
 */
export interface Operation {
  /** `operationId` of the document. */
  readonly id: string
  readonly method: Method
  /** As routes write it: `/api/v1/tools/:id`. */
  readonly path: string
  readonly right: RouteRight
  readonly tag: string
  readonly summary: string
  /** What each `:name` of the path is. */
  readonly params?: Readonly<Record<string, string>> | undefined
  /** The query as an object; nothing else may be in it. */
  readonly query?: JsonObject | undefined
  /** The body. An operation without one reads none. */
  readonly body?: JsonObject | undefined
  /** The body may be left out and is then `{}`. */
  readonly bodyOptional?: boolean | undefined
  readonly answers: Readonly<Record<number, AnswerDoc>>
  /** An endless stream. */
  readonly stream?: boolean | undefined
  run(request: RestRequest): Reply | Promise<Reply>
}

/** A request whose query and body are what the operation declares. */
export interface RestRequest {
  readonly exchange: HttpExchange
  /** With the profile the query names, if it may. */
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  readonly query: JsonObject
  readonly body: unknown
  readonly language: Language
}

/** What goes back: a value as JSON, or text as it is. Undefined where the operation has answered itself. */
export type Reply =
  | {
      readonly status?: number | undefined
      readonly json?: unknown
      readonly text?: string | Buffer | undefined
      /** Of `text`. Default `application/json`. */
      readonly type?: string | undefined
      readonly headers?: Readonly<Record<string, string>> | undefined
    }
  | undefined
