import type { JsonValue as Json, JsonObject } from '../../../src/model/json.js'
import { type FormNode, isObject } from './form-node.js'

/** A copy with this key set where it stood, or without it. `__proto__` is a key like any other. */
export const withKey = (value: JsonObject, key: string, next: Json | undefined): JsonObject => {
  const entries = Object.entries(value)
  if (next === undefined) return Object.fromEntries(entries.filter(([each]) => each !== key))
  if (!Object.hasOwn(value, key)) return Object.fromEntries([...entries, [key, next]])
  return Object.fromEntries(entries.map(([each, old]) => [each, each === key ? next : old]))
}

/** The same under another name, at the same place; as it was where that name is taken. */
export const renamed = (value: JsonObject, key: string, name: string): JsonObject =>
  key === name || Object.hasOwn(value, name)
    ? value
    : Object.fromEntries(Object.entries(value).map(([each, old]) => [each === key ? name : each, old]))

export const withItem = (items: readonly Json[], index: number, next: Json): readonly Json[] =>
  items.map((each, at) => (at === index ? next : each))

export const without = (items: readonly Json[], index: number): readonly Json[] => items.filter((_, at) => at !== index)

/** One place further up or down. */
export const moved = (items: readonly Json[], index: number, by: 1 | -1): readonly Json[] => {
  const to = index + by
  if (to < 0 || to >= items.length) return items
  return items.map((each, at) => (at === index ? items[to]! : at === to ? items[index]! : each))
}

/** A name that is not taken yet. */
export const freshKey = (value: JsonObject): string => {
  for (let n = 1; ; n++) {
    const name = n === 1 ? 'key' : `key${n}`
    if (!Object.hasOwn(value, name)) return name
  }
}

/** What stands in the value beside what its schema names. */
export const extrasOf = (value: Json | undefined, names: readonly string[]): readonly (readonly [string, Json])[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, each]) =>
        names.includes(key) || each === undefined ? [] : [[key, each] as const],
      )
    : []

/** What is typed into a field of this kind; undefined where it is nothing yet. */
export const fromText = (kind: FormNode['kind'], typed: string): Json | undefined => {
  if (typed === '') return undefined
  if (kind !== 'number') return typed
  const number = Number(typed)
  return Number.isFinite(number) ? number : undefined
}

export const toText = (value: Json | undefined): string => (value === undefined || value === null ? '' : String(value))

/** A place in a value as the gateway names it. */
export const pointerTo = (path: string, key: string | number): string =>
  `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** What has to be there at the top and is not: for questions, which nobody else checks before they are sent. */
export const missingIn = (schema: JsonObject, value: JsonObject): readonly string[] =>
  Array.isArray(schema.required)
    ? schema.required.filter((each): each is string => typeof each === 'string' && value[each] === undefined)
    : []
