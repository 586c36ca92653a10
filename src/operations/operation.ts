import type { Language } from '../http/language.js'
import type { HttpExchange, Method, RouteRight, TellError } from '../http/route.js'
import type { Caller } from '../model/caller.js'
import type { JsonObject } from '../model/json.js'
import type { OperationDeed } from './deeds.js'
import type { ValueOf, Words } from './shape.js'

/** One answer an operation gives, for the OpenAPI document. */
export interface AnswerDoc {
  readonly description: Words
  /** Default `application/json`. */
  readonly type?: string | undefined
  /** Another type it may be of, where that is asked for. */
  readonly also?: string | undefined
  readonly schema?: JsonObject | undefined
}

/** The body of an operation's errors. Documents that we follow have their own. */
export interface ErrorEnvelope {
  readonly description: Words
  readonly schema: JsonObject
  /** Undefined: as the host tells it, in English. */
  readonly tell?: TellError | undefined
}

/**
 * One thing that can be asked over HTTP: the only way to declare a route that takes or gives data. The schemas here
 * check requests and are printed in the OpenAPI document, so the two cannot disagree.
 */
export interface Operation {
  /** `operationId` of the document. */
  readonly id: string
  readonly method: Method
  /** As routes write it: `/api/v1/tools/:id`. */
  readonly path: string
  readonly right: RouteRight
  readonly tag: string
  readonly summary: Words
  /** What each `:name` of the path is. */
  readonly params?: Readonly<Record<string, Words>> | undefined
  /** The query as an object. One that is not closed lets through, unread, what it does not name. Default: none at all. */
  readonly query?: JsonObject | undefined
  /** Headers that it reads, for the document. */
  readonly headers?: readonly string[] | undefined
  /** The body. An operation without one reads none. */
  readonly body?: JsonObject | undefined
  /** The body may be left out and is then `{}`. */
  readonly bodyOptional?: boolean | undefined
  /** Readers that take the schemas' place, where a document we follow has words of its own for what is wrong. */
  readonly reads?: OwnReaders | undefined
  readonly answers: Readonly<Record<number, AnswerDoc>>
  /** Default: the body that most of our errors have, in the reader's language. */
  readonly errors?: ErrorEnvelope | undefined
  /** What it does, for the trail; false where it changes nothing though it is no GET. Default: read off its path. */
  readonly deed?: OperationDeed | false | undefined
  /** An endless stream. */
  readonly stream?: boolean | undefined
  /** Its answer tells whoever asked of their own end, and is not cut off by it. */
  readonly tellsOfEnd?: boolean | undefined
  /** Answers under any Host. */
  readonly probe?: boolean | undefined
  run(request: OperationRequest<any, any>): Reply | Promise<Reply>
}

export interface OwnReaders {
  readonly query?: ((fields: URLSearchParams) => unknown) | undefined
  readonly body?: ((body: unknown, fields: URLSearchParams) => unknown) | undefined
}

/** A request whose query and body are what the operation declares. */
export interface OperationRequest<Query = JsonObject, Body = unknown> {
  readonly exchange: HttpExchange
  /** With the profile the query names, if it may. */
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
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

/** An operation whose `run` knows query and body by their schemas. */
export const operation = <Query extends JsonObject = JsonObject, Body extends JsonObject = JsonObject>(
  declared: Omit<Operation, 'query' | 'body' | 'run'> & {
    readonly query?: Query | undefined
    readonly body?: Body | undefined
    run(request: OperationRequest<ValueOf<Query>, ValueOf<Body>>): Reply | Promise<Reply>
  },
): Operation => declared
