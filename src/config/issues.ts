import type { z } from 'zod'
import { kindOf } from '../model/json.js'
import { didYouMean } from './nearest.js'
import type { Path } from './problems.js'
import { keysAt } from './schema-keys.js'
import { isSecretPath } from './secrets.js'

type Issue = z.core.$ZodIssue

/** What a schema found wrong, in words: where, and what to do about it. */
export interface ConfigFinding {
  readonly path: Path
  readonly message: string
}

export interface FindingContext {
  readonly schema: z.ZodType
  readonly value: unknown
  /** True where a value came out of a variable, and so must not be shown. */
  isHidden(path: Path): boolean
}

/** One finding per wrong value: the first, since the later checks of the same value tend to repeat it. */
export const toFindings = (issues: readonly Issue[], context: FindingContext): readonly ConfigFinding[] => {
  const findings = new Map<string, ConfigFinding>()
  for (const finding of issues.flatMap((issue) => fromIssue(issue, context))) {
    const key = JSON.stringify(finding.path)
    if (!findings.has(key)) findings.set(key, finding)
  }
  return [...findings.values()]
}

const fromIssue = (issue: Issue, context: FindingContext): readonly ConfigFinding[] => {
  const path = issue.path as Path
  const meant = issue.code === 'invalid_union' ? meantBranch(issue.errors) : undefined
  if (meant) return meant.flatMap((each) => fromIssue({ ...each, path: [...path, ...each.path] } as Issue, context))
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(path, key, context))
  const value = valueAt(context.value, path)
  const message = value === undefined && issue.code !== 'custom' ? required(issue) : wrong(issue, value, path, context)
  return [{ path, message }]
}

/** Of several forms the one that was meant: where the value is of its kind, and only something in it is wrong. */
const meantBranch = (branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined => {
  const isOtherKind = ({ code, path }: Issue): boolean => code === 'invalid_type' && path.length === 0
  const close = branches.filter((issues) => issues.length > 0 && !issues.some(isOtherKind))
  // A word is of no kind but its own: "expected one of …" is said unless another form fits better.
  return (
    close.find((issues) => issues.some(({ code, path }) => code !== 'invalid_value' || path.length > 0)) ?? close[0]
  )
}

const unknownKey = (path: Path, key: string, context: FindingContext): ConfigFinding => {
  const known = keysAt(context.schema, path)
  const hint = didYouMean(key, known) || (known.length <= 24 ? `; the keys here are ${known.join(', ')}` : '')
  return { path: [...path, key], message: `is not a known key${hint || '; remove it'}` }
}

const required = (issue: Issue): string =>
  `is required; add ${issue.code === 'invalid_type' ? article(issue.expected) : 'it'}`

const wrong = (issue: Issue, value: unknown, path: Path, context: FindingContext): string => {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  const expected = expectation(issue)
  const got = `, got ${shown(value, path, context)}`
  return `${expected}${got}${fix(issue, value)}`
}

const expectation = (issue: Issue): string => {
  if (issue.code === 'invalid_type') return `expected ${article(issue.expected)}`
  if (issue.code === 'invalid_value')
    return `expected one of ${issue.values.map((word) => JSON.stringify(word)).join(', ')}`
  if (issue.code === 'too_small') return `expected ${amount(issue.origin, 'at least', issue.minimum)}`
  if (issue.code === 'too_big') return `expected ${amount(issue.origin, 'at most', issue.maximum)}`
  return issue.message
}

const amount = (origin: string, bound: string, limit: number | bigint): string => {
  const unit = origin === 'string' ? ' character' : origin === 'array' ? ' item' : ''
  return `${bound} ${limit}${unit}${unit && Number(limit) !== 1 ? 's' : ''}`
}

const fix = (issue: Issue, value: unknown): string => {
  if (issue.code === 'invalid_value' && typeof value === 'string') {
    // A schema's own words say more than a guess; the library's begin like this.
    const own = issue.message.startsWith('Invalid ') ? '' : `; ${issue.message}`
    return own || didYouMean(value, issue.values.map(String))
  }
  if (issue.code !== 'invalid_type') return ''
  const { expected } = issue
  if (typeof value === 'string' && ['number', 'int'].includes(expected)) {
    if (/^\s*[\d.]+\s*$/.test(value)) return '; remove the quotes'
    return /^\s*[\d.]+\s*(?:ms|s|m|min|h)\s*$/.test(value) ? '; write the milliseconds as a number' : ''
  }
  if (typeof value === 'string' && expected === 'boolean') return '; write true or false without quotes'
  if (expected === 'string' && ['number', 'boolean'].includes(typeof value)) return '; put it in quotes'
  if (expected === 'array' && typeof value === 'string') return '; write a list, ["…"]'
  return ''
}

const article = (expected: string): string => {
  const words: Readonly<Record<string, string>> = {
    string: 'a string',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    record: 'an object',
  }
  return words[expected] ?? expected
}

// The kind always; the value only where it is short, plain and neither secret nor out of a variable.
const shown = (value: unknown, path: Path, context: FindingContext): string => {
  const kind = typeof value === 'number' && !Number.isFinite(value) ? 'a number too large to hold' : kindOf(value)
  if (isSecretPath(path) || context.isHidden(path)) return kind
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'string' && /^[\w .:-]{0,24}$/.test(value)) return `string ${JSON.stringify(value)}`
  if (typeof value === 'string') return `a string of ${value.length} characters`
  return kind
}

const valueAt = (value: unknown, path: Path): unknown => {
  let here = value
  for (const segment of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, segment)) return undefined
    here = (here as Record<string | number, unknown>)[segment]
  }
  return here
}
