import { type ParseError, parse, printParseErrorCode, visit } from 'jsonc-parser'
import { GatewayError } from '../errors.js'
import { isRecord } from '../model/json.js'
import type { ClientProgram } from './client.js'

/** Where something is wrong in a client's file, for a person who will open it. */
const broken = (file: string, line: number, what: string): GatewayError =>
  new GatewayError('CONFIG_INVALID', `${file}:${line}: ${what}. Repair that file first; it was not changed.`, {
    details: { file, line },
  })

/** Deeper than any client nests, far from where a recursive parser runs out of stack. */
const maxDepth = 256

/** A client's file as a value. JSON with comments, trailing commas and a byte order mark, as editors leave them. */
export const parseClientText = async (
  client: Pick<ClientProgram, 'format'>,
  text: string,
  file: string,
): Promise<unknown> => (client.format === 'toml' ? parseToml(text, file) : parseJson(text, file))

const parseJson = (text: string, file: string): unknown => {
  const plain = text.replace(/^\ufeff/, '')
  // An empty file is how some clients begin.
  if (plain.trim() === '') return {}
  if (isTooDeep(plain)) throw broken(file, 1, `it is nested deeper than ${maxDepth} levels`)
  refusePrototype(plain, file)
  const errors: ParseError[] = []
  const value: unknown = parse(plain, errors, { allowTrailingComma: true, disallowComments: false })
  const [first] = errors
  if (first) throw broken(file, lineAt(plain, first.offset), `not JSON (${printParseErrorCode(first.error)})`)
  return value
}

const prototypeKey = 'the key "__proto__" is not allowed in it'

/** The parser would take what stands under such a key for the prototype, and nothing in the file would be seen (S23). */
const refusePrototype = (text: string, file: string): void => {
  // Most files have neither the word nor a letter that is written as its number.
  if (!/__proto__|\\u/.test(text)) return
  visit(text, {
    onObjectProperty: (key, offset) => {
      if (key === '__proto__') throw broken(file, lineAt(text, offset), prototypeKey)
    },
  })
}

// Loaded when a TOML file is there: most people have none.
const parseToml = async (text: string, file: string): Promise<unknown> => {
  const { parse: read, TomlError } = await import('smol-toml')
  try {
    return toPlain(read(text.replace(/^\ufeff/, '')), file)
  } catch (error) {
    if (error instanceof TomlError) throw broken(file, error.line, 'not TOML')
    throw error
  }
}

/** The tables of the parser have no prototype and may hold dates; ours are plain. */
const toPlain = (value: unknown, file: string, depth = 0): unknown => {
  if (depth > maxDepth) return undefined
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map((item) => toPlain(item, file, depth + 1))
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        if (key === '__proto__') throw broken(file, 1, prototypeKey)
        return [key, toPlain(item, file, depth + 1)]
      }),
    )
  return typeof value === 'bigint' ? Number(value) : value
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

const isTooDeep = (text: string): boolean => {
  let depth = 0
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (inText) {
      if (char === '\\') at++
      else if (char === '"') inText = false
    } else if (char === '"') inText = true
    else if ((char === '{' || char === '[') && ++depth > maxDepth) return true
    else if (char === '}' || char === ']') depth--
  }
  return false
}
