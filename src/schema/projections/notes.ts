import type { JsonObject, JsonValue } from '../../model/json.js'

const longestValue = 160
const longestNote = 1_000

/** Puts what a dialect cannot say as a keyword into words: `How many. {minimum: 1, maximum: 9}`. */
export const withNote = (schema: JsonObject, left: readonly (readonly [string, JsonValue])[]): JsonObject => {
  if (left.length === 0) return schema
  const note = cut(
    `{${left.map(([keyword, value]) => `${keyword}: ${cut(text(value), longestValue)}`).join(', ')}}`,
    longestNote,
  )
  const description =
    typeof schema.description === 'string' && schema.description !== '' ? schema.description : undefined
  return { ...schema, description: description === undefined ? note : `${description} ${note}` }
}

const text = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))

const cut = (words: string, length: number): string =>
  words.length > length ? `${words.slice(0, length - 1)}…` : words
