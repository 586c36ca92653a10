import { sendBody } from '../http/answer.js'
import { countUnread, largeBytes } from '../http/held-bytes.js'
import { type Language, languageOf } from '../http/language.js'
import type { HttpExchange, Route } from '../http/route.js'
import type { Caller } from '../model/caller.js'
import type { JsonObject } from '../model/json.js'
import { createSchemas } from '../schema/schemas.js'
import { checkBody, parseJson, readQuery } from './decode.js'
import type { Operation, OperationRequest, Reply } from './operation.js'
import { translatedErrors } from './told-error.js'

export interface RouteOptions {
  /** Who asks, where the query has a say in it. Default: whoever the credential names. */
  readonly callerOf?: ((caller: Caller, query: JsonObject) => Caller) | undefined
}

// Validators are remembered by their schemas, so one engine serves all.
const schemas = createSchemas()
const noQuery: JsonObject = Object.freeze({ type: 'object', properties: {}, additionalProperties: false })
const unread: JsonObject = Object.freeze({})

/**
 * An operation as a route: decode, check, run, encode. What is thrown is written by the host, in the operation's words.
 * Nothing awaits what is there already: every request pays for each turn of the microtask queue.
 */
export const toRoute = (operation: Operation, { callerOf }: RouteOptions = {}): Route => {
  const { body, reads } = operation
  const queryOf = queryReader(operation)
  const bodyOf = (bytes: Buffer, exchange: HttpExchange): unknown => {
    const parsed = parseJson(bytes, exchange)
    return reads?.body ? reads.body(parsed, exchange.query) : checkBody(operation, parsed, schemas)
  }
  return {
    method: operation.method,
    path: operation.path,
    right: operation.right,
    ownHeaders: true,
    stream: operation.stream,
    probe: operation.probe,
    tellsOfEnd: operation.tellsOfEnd,
    tellError: (operation.errors ?? translatedErrors).tell,
    handle: (exchange) => {
      const query = queryOf(exchange)
      const caller = callerOf ? callerOf(exchange.caller, query) : exchange.caller
      const run = (read: unknown) => send(operation.run(new Request(exchange, caller, query, read)), exchange)
      return body === undefined ? run(undefined) : exchange.readBody().then((bytes) => run(bodyOf(bytes, exchange)))
    },
  }
}

const queryReader = ({ query = noQuery, reads }: Operation): ((exchange: HttpExchange) => JsonObject) => {
  if (reads?.query) return (exchange) => reads.query!(exchange.query) as JsonObject
  if (query.properties === undefined) return () => unread
  // Most requests have no query: what that means is found out once, and no URLSearchParams is made for them.
  let plain: JsonObject | undefined
  return (exchange) =>
    exchange.request.url?.includes('?')
      ? readQuery(exchange.query, query, schemas)
      : (plain ??= Object.freeze(readQuery(undefined, query, schemas)))
}

/** A class, since one is made per request and few read its language. */
class Request implements OperationRequest {
  constructor(
    readonly exchange: HttpExchange,
    readonly caller: Caller,
    readonly query: JsonObject,
    readonly body: unknown,
  ) {}

  get params(): Readonly<Record<string, string>> {
    return this.exchange.params
  }

  get language(): Language {
    return languageOf(this.exchange.request.headers)
  }
}

const send = (reply: Reply | Promise<Reply>, exchange: HttpExchange): undefined | Promise<void> => {
  if (reply instanceof Promise) return reply.then((each) => write(each, exchange))
  write(reply, exchange)
  return undefined
}

const write = (reply: Reply, exchange: HttpExchange): void => {
  const { response } = exchange
  if (reply === undefined || response.destroyed) return
  const { status = 200, headers } = reply
  const text = reply.text ?? JSON.stringify(reply.json)
  if (text.length > largeBytes && !countUnread(exchange, Buffer.byteLength(text))) return
  sendBody(response, status, reply.type ?? 'application/json', text, headers)
}
