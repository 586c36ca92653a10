import { defined } from '../model/json.js'
import type { AnswerWriter, InputAnswers } from './inputs.js'
import { isReference } from './inputs.js'
import type { ListedServer } from './server-json.js'
import { inputsOf, type ServerWay } from './ways.js'

/** The key of a source entry that says which registry it is of. */
export interface RegistryOrigin {
  /** The registry that was asked. */
  readonly url: string
  readonly name: string
  readonly version: string
  /** Which way was taken. */
  readonly package: string
  readonly answers?: InputAnswers | undefined
}

/** Where an entry came from, and what was answered that cannot be read off the entry itself. */
export const originOf = (
  {
    registry,
    listed,
    way,
    answers,
  }: {
    readonly registry: string
    readonly listed: ListedServer
    readonly way: ServerWay
    readonly answers: InputAnswers
  },
  writer: AnswerWriter,
): RegistryOrigin => {
  const byKey = new Map(inputsOf(way).map((input) => [input.key, input]))
  const kept = Object.entries(answers).flatMap(([key, given]): readonly [string, string | readonly string[]][] => {
    const input = byKey.get(key)!
    if (/^(?:env|header)\.[^.]+$/.test(key)) return []
    const written = [given].flat().map((text) => writer.answer(input, text))
    return [[key, written.length === 1 ? written[0]! : written]]
  })
  return defined({
    url: registry,
    name: listed.server.name,
    version: listed.server.version,
    package: way.id,
    answers: kept.length > 0 ? Object.fromEntries(kept) : undefined,
  })
}

/** What was answered when an entry was made: beside its origin, its own variables and headers, as they are now. */
export const answersIn = (entry: Readonly<Record<string, unknown>>, way: ServerWay): InputAnswers => {
  const origin = (entry.registry ?? {}) as Partial<RegistryOrigin>
  const beside = { env: entry.env, header: entry.headers } as Readonly<Record<string, unknown>>
  const found = inputsOf(way).flatMap(({ key, name, place }): readonly [string, string | readonly string[]][] => {
    const kept = origin.answers?.[key]
    if (kept !== undefined) return [[key, [kept].flat().map(unescaped)]]
    const values = beside[place] as Readonly<Record<string, unknown>> | undefined
    const value = key === `${place}.${name}` ? values?.[name] : undefined
    return typeof value === 'string' ? [[key, unescaped(value)]] : []
  })
  return Object.fromEntries(found)
}

/** Writes a text so that no part of it is read as a reference. */
export const escaped = (text: string): string => text.replaceAll('$', '$$$$')
const unescaped = (text: string): string => (isReference(text) ? text : text.replaceAll('$$', '$'))
