import { invalidRequest } from '../../http/http-error.js'
import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import { formatProblems, type Schemas } from '../../schema/schemas.js'

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
