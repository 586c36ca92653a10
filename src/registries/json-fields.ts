import { GatewayError } from '../errors.js'
import { isRecord, kindOf } from '../model/json.js'
import { serverJsonLimits } from './server-json.js'

/** An object of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>

const { wordLength: longestWord, textLength: longestText, choices: mostWords } = serverJsonLimits

/** What is wrong with a stranger's JSON, and where. */
export const wrong = (place: string, why: string): GatewayError =>
  new GatewayError('RESULT_INVALID', `"${place}" ${why}.`, { details: { place } })

export const optional = <T>(record: Fields, key: string, read: (value: unknown) => T): T | undefined =>
  record[key] === undefined || record[key] === null ? undefined : read(record[key])

export const recordAt = (value: unknown, place: string): Fields => {
  if (isRecord(value)) return value
  throw wrong(place, `must be an object, got ${kindOf(value)}`)
}

export const listAt = (value: unknown, place: string, most: number): readonly unknown[] => {
  // Go writes an empty list as null.
  if (value === null) return []
  if (!Array.isArray(value)) throw wrong(place, `must be a list, got ${kindOf(value)}`)
  if (value.length > most) throw wrong(place, `has ${value.length} entries; at most ${most} are read`)
  return value
}

export const oneOf = <Word extends string>(value: unknown, known: readonly Word[], place: string): Word => {
  const found = known.find((word) => word === value)
  if (found !== undefined) return found
  throw wrong(place, `must be one of ${known.join(', ')}`)
}

/** One line, without characters that end it or steer a terminal. */
export const wordAt = (record: Fields, key: string, place: string): string => {
  const found = textOf(record[key], `${place}${key}`, longestWord)
  if (found === '') throw wrong(`${place}${key}`, 'must not be empty')
  if (/\p{Cc}/u.test(found)) throw wrong(`${place}${key}`, 'must not hold control characters')
  return found
}

export const optionalWord = (record: Fields, key: string, place: string): string | undefined =>
  record[key] === undefined || record[key] === null || record[key] === '' ? undefined : wordAt(record, key, place)

export const optionalText = (record: Fields, key: string, place: string): string | undefined =>
  optional(record, key, (found) => textOf(found, `${place}${key}`, longestText))

export const optionalFlag = (record: Fields, key: string, place: string): boolean | undefined =>
  optional(record, key, (found) => {
    if (typeof found === 'boolean') return found
    throw wrong(`${place}${key}`, `must be true or false, got ${kindOf(found)}`)
  })

export const words = (value: unknown, place: string): readonly string[] =>
  listAt(value, place, mostWords).map((each) => textOf(each, place, longestWord))

const textOf = (value: unknown, place: string, longest: number): string => {
  if (typeof value !== 'string') throw wrong(place, `must be text, got ${kindOf(value)}`)
  if (value.length > longest) throw wrong(place, `has ${value.length} characters; at most ${longest} are read`)
  if (value.includes('\0')) throw wrong(place, 'must not hold a NUL character')
  return value
}
