import { isRecord, type JsonObject } from '../model/json.js'
import { compareKeyword, type KeywordPlace } from '../schema/keyword-change.js'

/** What may be asked of an argument beyond what its tool asks: each of these can only refuse more. */
export const narrowingKeywords = [
  ...['type', 'enum', 'const', 'pattern', 'format', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'uniqueItems'],
] as const

/** Why an override cannot be used: the place within it, and what is wrong there. */
export interface OverrideProblem {
  /** Within the override: `arguments.body.maxLength`. */
  readonly path: string
  readonly message: string
}

/** Of what is written about an argument, the keywords that narrow it. */
export const narrowingOf = (written: Readonly<Record<string, unknown>>): JsonObject =>
  Object.fromEntries(
    Object.entries(written).filter(
      ([key, value]) => value !== undefined && (narrowingKeywords as readonly string[]).includes(key),
    ),
  ) as JsonObject

/**
 * A parameter's schema that takes what both take. Where a keyword stands in both, the tighter one is shown; two that cannot
 * be compared both stay. A keyword that would let through more is a problem: it would promise what upstream refuses.
 */
export const narrowed = (
  upstream: unknown,
  asked: JsonObject,
  path: string,
): { readonly schema: JsonObject; readonly problems: readonly OverrideProblem[] } => {
  const was: JsonObject = isRecord(upstream) ? (upstream as JsonObject) : {}
  // What stands beside a reference counts in some dialects only.
  if (was.$ref !== undefined) return { schema: { allOf: [was], ...asked }, problems: [] }
  const problems: OverrideProblem[] = []
  const also: JsonObject[] = []
  let schema = was
  for (const [keyword, value] of Object.entries(asked)) {
    if (was[keyword] === undefined) {
      schema = { ...schema, [keyword]: value }
      continue
    }
    const place: KeywordPlace = { was, is: asked, path: `${path}.${keyword}`, compare: () => [] }
    const kinds = compareKeyword(keyword, was[keyword], value, place).map(({ kind }) => kind)
    if (kinds.includes('widening'))
      problems.push({
        path: `${path}.${keyword}`,
        message: `lets through more than upstream does (${shortly(was[keyword])}); an override may only narrow`,
      })
    else if (kinds.every((kind) => kind === 'narrowing' || kind === 'cosmetic'))
      schema = { ...schema, [keyword]: value }
    else also.push({ [keyword]: value })
  }
  if (also.length === 0) return { schema, problems }
  const before = Array.isArray(schema.allOf) ? schema.allOf : []
  return { schema: { ...schema, allOf: [...before, ...also] }, problems }
}

const longest = 80

const shortly = (value: unknown): string => {
  const text = JSON.stringify(value) ?? ''
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
