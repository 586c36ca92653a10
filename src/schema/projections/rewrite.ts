import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { Losses } from '../losses.js'
import { escapePointer } from '../problems.js'
import { shapeOf } from '../shapes.js'
import { mergeAllOf } from './merge-all-of.js'
import { withNote } from './notes.js'

/** What a provider's schema dialect can say. */
export interface ProviderRules {
  /** Keywords that exist there. */
  readonly kept: ReadonlySet<string>
  /** Refuses single values of a keyword that exists, such as a format it does not know. */
  readonly accepts?: ((keyword: string, value: JsonValue, schema: JsonObject) => boolean) | undefined
  /** Respells a schema before its keywords are looked at. */
  readonly respell?: ((schema: JsonObject) => JsonObject) | undefined
  /** Gives a finished schema its last shape; `original` is what it was made from. */
  readonly finish?: ((schema: JsonObject, original: JsonObject, path: string) => JsonObject) | undefined
}

// Gone without a word: they say nothing about a value.
const silent = new Set([
  '$schema',
  '$id',
  '$comment',
  '$anchor',
  '$dynamicAnchor',
  '$vocabulary',
  '$defs',
  'definitions',
])

/** Rewrites a schema for a dialect; what it cannot say goes into descriptions and losses. Never changes its input. */
export const rewrite = (
  schema: JsonValue | undefined,
  path: string,
  rules: ProviderRules,
  losses: Losses,
): JsonObject => {
  if (schema === false) losses.add(path, 'false', 'a schema that allows nothing cannot be said')
  if (!isRecord(schema)) return rules.finish?.({}, {}, path) ?? {}
  const original = respelled(schema as JsonObject, path, rules, losses)
  const written: [string, JsonValue][] = []
  const left: [string, JsonValue][] = []
  for (const [keyword, value] of Object.entries(original)) {
    if (value === undefined) continue
    const at = `${path}/${escapePointer(keyword)}`
    if (rules.kept.has(keyword) && (rules.accepts?.(keyword, value, original) ?? true)) {
      written.push([keyword, rewriteKeyword(keyword, value, at, rules, losses)])
    } else if (!silent.has(keyword)) {
      losses.add(at, keyword, 'not supported there')
      if (!impliedAnyway(keyword, value)) left.push([keyword, value])
    }
  }
  const noted = withNote(Object.fromEntries(written), left)
  return rules.finish?.(noted, original, path) ?? noted
}

const respelled = (schema: JsonObject, path: string, rules: ProviderRules, losses: Losses): JsonObject => {
  const merged = rules.kept.has('allOf') ? schema : mergeAllOf(schema, path, losses)
  return rules.respell?.(withAnyOf(merged, rules)) ?? withAnyOf(merged, rules)
}

/** `oneOf` says more than `anyOf` only when two forms overlap, which tools hardly ever mean. */
const withAnyOf = (schema: JsonObject, rules: ProviderRules): JsonObject => {
  if (!Array.isArray(schema.oneOf) || rules.kept.has('oneOf') || schema.anyOf !== undefined) return schema
  const { oneOf, ...rest } = schema
  return { ...rest, anyOf: oneOf }
}

const impliedAnyway = (keyword: string, value: JsonValue): boolean =>
  keyword === 'additionalProperties' && typeof value === 'boolean'

const rewriteKeyword = (
  keyword: string,
  value: JsonValue,
  path: string,
  rules: ProviderRules,
  losses: Losses,
): JsonValue => {
  const shape = shapeOf(keyword)
  if (shape === undefined || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map((item, index) => rewrite(item, `${path}/${index}`, rules, losses))
  if (!isRecord(value)) return value
  if (shape !== 'map' && shape !== 'map-or-names') return rewrite(value as JsonObject, path, rules, losses)
  const members = Object.entries(value).map(([name, item]) => [
    name,
    rewrite(item as JsonValue, `${path}/${escapePointer(name)}`, rules, losses),
  ])
  return Object.fromEntries(members)
}
