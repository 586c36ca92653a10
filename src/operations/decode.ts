import { isUtf8 } from 'node:buffer'
import { HttpError, invalidRequest } from '../http/http-error.js'
import type { HttpExchange } from '../http/route.js'
import { callerLimits } from '../mcp/parse.js'
import { type ScanFault, scanJson } from '../mcp/scan.js'
import { isRecord, type JsonObject, type JsonValue } from '../model/json.js'
import { formatProblems, type Schemas } from '../schema/schemas.js'
import type { Operation } from './operation.js'

/** The query as the object its schema describes, defaults filled in. */
export const readQuery = (fields: URLSearchParams | undefined, schema: JsonObject, schemas: Schemas): JsonObject => {
  const properties = isRecord(schema.properties) ? (schema.properties as JsonObject) : {}
  const read: [string, JsonValue][] = []
  for (const name of new Set(fields?.keys())) {
    if (!Object.hasOwn(properties, name)) throw unknownField(name, Object.keys(properties))
    read.push([name, readField(name, fields!.getAll(name), properties[name] as JsonObject)])
  }
  const checked = schemas.validator(schema).check(Object.fromEntries(read))
  if (checked.ok) return checked.value as JsonObject
  const { problems } = checked
  throw invalidRequest(`The query is not valid: ${formatProblems(problems)}.`, { details: { problems } })
}

const readField = (name: string, texts: readonly string[], schema: JsonObject): JsonValue => {
  if (schema.type === 'array') return texts.flatMap((text) => text.split(',')).filter((text) => text !== '')
  if (texts.length > 1) throw invalidRequest(`The query has "${name}" more than once.`)
  return coerce(texts[0] ?? '', schema)
}

// What does not read as its type stays text, and the schema says what is wrong with it.
const coerce = (text: string, { type }: JsonObject): JsonValue => {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text)
  // A bare `?stream` is how people write a flag.
  if (type === 'boolean' && (text === 'true' || text === '1' || text === '')) return true
  if (type === 'boolean' && (text === 'false' || text === '0')) return false
  return text
}

const unknownField = (name: string, known: readonly string[]) =>
  invalidRequest(`The query field "${name.slice(0, 60)}" is not known here.`, {
    hint: known.length > 0 ? `Known are ${known.join(', ')}.` : 'This address takes no query.',
  })

/** The JSON body of a request; undefined when there is none. The same bounds as for MCP: one call, whatever carried it. */
export const parseJson = (body: Buffer, exchange: HttpExchange): unknown => {
  if (body.length === 0) return undefined
  // Only this type: a page of a stranger can send forms and plain text without asking, JSON it cannot (H88).
  if (!isJson(exchange.request.headers['content-type']))
    throw new HttpError(415, 'REQUEST_INVALID', 'The body must be JSON.', {
      hint: 'Send Content-Type: application/json.',
    })
  // toString would quietly replace bytes that are not UTF-8, and the tool would get other arguments (R62).
  if (!isUtf8(body)) throw invalidRequest('The body is not UTF-8.')
  return parse(body.toString('utf8'))
}

// As nearly everybody writes it; the expression costs more than reading a small body.
const isJson = (header: string | undefined): boolean =>
  header === 'application/json' ||
  (header !== undefined && /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(header))

const parse = (text: string): unknown => {
  const fault = scanJson(text, callerLimits)
  if (fault) throw invalidRequest(`The body cannot be read: ${faults[fault]}.`)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalidRequest('The body is not JSON.', { cause })
  }
}

const faults: Readonly<Record<ScanFault, string>> = {
  depth: `it is nested deeper than ${callerLimits.maxDepth} levels`,
  elements: `it has more than ${callerLimits.maxElements} values`,
  keys: `it has more than ${callerLimits.maxKeys} different keys; send a list of pairs instead`,
  'duplicate-key': 'an object in it has the same key twice',
  'inexact-number': 'a number in it has more digits than can be kept; send it as a string',
}

/** The body as its schema describes it, defaults filled in. */
export const checkBody = ({ body: schema, bodyOptional }: Operation, parsed: unknown, schemas: Schemas): unknown => {
  const body = parsed ?? (bodyOptional ? {} : undefined)
  if (body === undefined) throw invalidRequest('A JSON body is needed here.')
  const checked = schemas.validator(schema!).check(body)
  if (checked.ok) return checked.value
  const { problems } = checked
  throw invalidRequest(`The body is not valid: ${formatProblems(problems)}.`, { details: { problems } })
}
