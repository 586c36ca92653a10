import { defined } from '../model/json.js'
import { HttpError, invalidRequest } from './http-error.js'

/** Past this the query is refused (414). */
export const maxQueryBytes = 8 * 1024
/** More fields than any of our routes reads; past it 400. */
export const maxQueryFields = 256

/**
 * The segments of a path, each decoded once. Whatever another server might read as a different path is refused instead
 * of repaired, or a check in front of us and we would disagree on what was asked: `//`, dot segments in any spelling,
 * NUL, backslashes, bad or overlong percent escapes. One slash at the end means nothing; a redirect would lose bodies.
 */
export const pathSegments = (path: string): readonly string[] => {
  if (!legal.test(path)) throw invalidPath()
  const raw = path.slice(1).split('/')
  if (raw.at(-1) === '') raw.pop()
  const segments = raw.map(decodeSegment)
  // Encoded dots look like data but are dot segments to everyone who decodes first.
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) throw invalidPath()
  return segments
}

// RFC 3986's pchar, and what WHATWG URLs leave as it is: | ^ [ ]
const legal = /^\/[A-Za-z0-9._~!$&'()*+,;=:@%/|^[\]-]*$/

const decodeSegment = (segment: string): string => {
  if (!segment.includes('%')) return segment
  let decoded: string
  try {
    decoded = decodeURIComponent(segment)
  } catch (cause) {
    throw invalidPath(cause)
  }
  if (controls.test(decoded)) throw invalidPath()
  return decoded
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: no name of ours holds one, and they would reach logs
const controls = /[\u0000-\u001f\u007f]/

const invalidPath = (cause?: unknown): HttpError =>
  invalidRequest('The path of the request cannot be read.', {
    hint: 'Start it with one /, percent-encode what is not a letter, digit or - . _ ~ and leave out empty, . and .. segments.',
    ...defined({ cause }),
  })

/** The query without its `?`, as fields. */
export const parseQuery = (search: string): URLSearchParams => {
  if (search.length > 0 && /%(?![0-9A-Fa-f]{2})/.test(search))
    throw invalidRequest('The query of the request has a % that is not followed by two hexadecimal digits.')
  const fields = new URLSearchParams(search)
  if (fields.size > maxQueryFields) throw invalidRequest(`The query has more than ${maxQueryFields} fields.`)
  return fields
}

/** Checked for every request, whether or not its route reads the query. */
export const queryTooLong = (): HttpError =>
  new HttpError(414, 'REQUEST_INVALID', `The query is longer than ${maxQueryBytes} bytes.`, {
    hint: 'Send long values in the body of a POST.',
  })
