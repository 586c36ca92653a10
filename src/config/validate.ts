import type { z } from 'zod'
import { type ConfigFinding, toFindings } from './issues.js'
import type { Path } from './problems.js'

export type ValueCheck<T> =
  | { readonly value: T; readonly findings?: never | undefined }
  | { readonly findings: readonly ConfigFinding[] }

/**
 * Checks a value and fills its defaults. A variable can only hold text, so where one stands for a number or a switch
 * (`"port": "${PORT}"`) its text is read as such; text that was written as text stays an error.
 */
export const validate = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  isExpanded: (path: Path) => boolean,
): ValueCheck<z.output<Schema>> => {
  const first = schema.safeParse(value)
  if (first.success) return { value: first.data }
  const coerced = coerceExpanded(value, first.error.issues, isExpanded)
  const second = coerced === undefined ? first : schema.safeParse(coerced)
  if (second.success) return { value: second.data }
  return { findings: toFindings(second.error.issues, { schema, value, isHidden: isExpanded }) }
}

const coerceExpanded = (
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
  isExpanded: (path: Path) => boolean,
): unknown => {
  let result: unknown
  for (const issue of issues) {
    const path = issue.path as Path
    if (issue.code !== 'invalid_type' || path.length === 0 || !isExpanded(path)) continue
    result ??= structuredClone(value)
    const parent = path.slice(0, -1).reduce((here, segment) => (here as Record<string, unknown>)[segment], result)
    const holder = parent as Record<string | number, unknown>
    holder[path.at(-1)!] = convert(String(holder[path.at(-1)!]), issue.expected)
  }
  return result
}

const convert = (text: string, expected: string): unknown => {
  const word = text.trim()
  if (['number', 'int'].includes(expected) && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(word)) return Number(word)
  if (expected === 'boolean' && /^(?:true|false)$/i.test(word)) return word.toLowerCase() === 'true'
  return text
}
