import { readFile, stat } from 'node:fs/promises'
import { resolve as resolvePath } from 'node:path'
import { GatewayError, messageOf } from '../../errors.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import type { GuardedFetch } from '../guarded-fetch.js'

const largestDocument = 8 * 1024 * 1024
const deepestNesting = 128
const mostNodes = 500_000

/** The text of the document, from a file or over HTTP. */
export const readText = async (
  spec: string,
  {
    folder = '.',
    fetch,
    headers,
    signal,
  }: { folder?: string | undefined; fetch: GuardedFetch; headers: Record<string, string>; signal: AbortSignal },
): Promise<string> => {
  const url = urlOf(spec)
  if (url) {
    const { status, body } = await fetch(url, {
      headers: { accept: 'application/json, application/yaml, */*', ...headers },
      signal,
      maxBytes: largestDocument,
    })
    if (status === 200) return body.toString('utf8')
    throw new GatewayError(
      'SOURCE_START_FAILED',
      `The OpenAPI document at ${url.host} was answered with ${status}, not 200.`,
    )
  }
  const path = resolvePath(folder, spec)
  try {
    if ((await stat(path)).size > largestDocument) throw new Error(`it is larger than ${largestDocument} bytes`)
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new GatewayError('SOURCE_START_FAILED', `The OpenAPI document ${spec} cannot be read: ${messageOf(cause)}`, {
      cause,
    })
  }
}

/** The document's address, if it is one and not a path. */
export const urlOf = (spec: string): URL | undefined =>
  /^https?:\/\//i.test(spec) && URL.canParse(spec) ? new URL(spec) : undefined

/** JSON or YAML, as a document whose version we read. */
export const parseDocumentText = async (text: string, spec: string): Promise<JsonObject> => {
  const value = await parse(text.replace(/^\ufeff/, ''), spec)
  if (!isRecord(value)) throw invalid(spec, 'it is not an object')
  assertBounded(value, spec)
  const { openapi, swagger } = value
  if (typeof swagger === 'string') throw invalid(spec, 'it is Swagger 2.0; convert it to OpenAPI 3 first')
  if (typeof openapi !== 'string' || !/^3\.[012](?:\.|$)/.test(openapi))
    throw invalid(spec, 'its `openapi` is not a version between 3.0 and 3.2')
  if (!isRecord(value.paths)) throw invalid(spec, 'it has no `paths`')
  return value as JsonObject
}

const parse = async (text: string, spec: string): Promise<unknown> => {
  if (/^\s*[{[]/.test(text)) {
    try {
      return JSON.parse(text)
    } catch (cause) {
      throw invalid(spec, `it is not JSON: ${messageOf(cause)}`, cause)
    }
  }
  try {
    // Imported when wanted: it is large, and most documents are JSON.
    const { parseDocument } = await import('yaml')
    const document = parseDocument(text, { prettyErrors: false, logLevel: 'error' })
    if (document.errors.length > 0) throw document.errors[0]!
    // Aliases are bounded: nine lines of them can stand for a billion values.
    return document.toJS({ maxAliasCount: 100 })
  } catch (cause) {
    throw invalid(spec, `it is neither JSON nor YAML: ${messageOf(cause)}`, cause)
  }
}

/** Without recursion: the document is a stranger's, and its depth must not become our stack's. */
const assertBounded = (root: object, spec: string): void => {
  let level: unknown[] = [root]
  let nodes = 0
  for (let depth = 0; level.length > 0; depth++) {
    nodes += level.length
    if (depth > deepestNesting) throw invalid(spec, `it is nested deeper than ${deepestNesting} levels`)
    if (nodes > mostNodes) throw invalid(spec, `it has more than ${mostNodes} values`)
    level = level.flatMap((node) => (typeof node === 'object' && node !== null ? Object.values(node) : []))
  }
}

const invalid = (spec: string, why: string, cause?: unknown): GatewayError =>
  new GatewayError(
    'SOURCE_INVALID',
    `The OpenAPI document ${spec.slice(0, 200)} cannot be used: ${why}.`,
    cause === undefined ? {} : { cause },
  )
