import { GatewayError } from '../errors.js'
import type { Manifest, UserOption } from './manifest.js'
import { quoted } from './refusal.js'

/** One value for the launch: as it is, or kept elsewhere and named by a reference of the configuration's. */
export type UserValue =
  | { readonly kind: 'plain'; readonly values: readonly string[] }
  /** To be kept as secrets are. */
  | { readonly kind: 'secret'; readonly value: string }
  /** Named by whoever installs it: `${GITHUB_TOKEN}`, `${keychain:…}`; written into the configuration as it is. */
  | { readonly kind: 'reference'; readonly text: string }

export type UserValues = ReadonlyMap<string, UserValue>

/** What was answered: text as typed, one value or several. */
export type GivenValues = Readonly<Record<string, string | readonly string[]>>

/** What is asked for and was not answered, though it has to be. */
export const missingOptions = (manifest: Manifest, given: GivenValues): readonly string[] =>
  Object.entries(manifest.user_config ?? {}).flatMap(([key, option]) =>
    option.required && option.default === undefined && isEmpty(own(given, key)) ? [key] : [],
  )

/**
 * The answers checked against what the manifest asks for, defaults filled in. `expand` resolves the folders that a default
 * may name; what somebody answered is taken as it is.
 */
export const readUserValues = (
  manifest: Manifest,
  given: GivenValues,
  expand: (text: string) => string = (text) => text,
): UserValues => {
  const options = manifest.user_config ?? {}
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(options, key))
  if (unknown !== undefined) {
    const known = Object.keys(options)
    throw wrong(
      `${quoted(unknown)} is not asked for by this bundle; ${known.length > 0 ? `it asks for ${known.join(', ')}` : 'it asks for nothing'}`,
      `该扩展包不需要 ${quoted(unknown)}；${known.length > 0 ? `它需要 ${known.join('、')}` : '它什么都不需要'}`,
    )
  }
  const missing = missingOptions(manifest, given)
  if (missing.length > 0)
    throw wrong(
      `it needs ${missing.join(', ')}; give each as --set KEY=VALUE`,
      `它需要 ${missing.join('、')}；请逐个给出：--set KEY=VALUE`,
    )
  return new Map(
    Object.entries(options).flatMap(([key, option]) => {
      const answer = own(given, key)
      const value = isEmpty(answer) ? defaultOf(option, expand) : answered(key, option, answer!)
      return value === undefined ? [] : [[key, value] as const]
    }),
  )
}

const own = (given: GivenValues, key: string): string | readonly string[] | undefined =>
  Object.hasOwn(given, key) ? given[key] : undefined

const isEmpty = (answer: string | readonly string[] | undefined): boolean =>
  answer === undefined || answer.length === 0 || (typeof answer !== 'string' && answer.every((each) => each === ''))

const answered = (key: string, option: UserOption, answer: string | readonly string[]): UserValue => {
  const values = typeof answer === 'string' ? [answer] : answer
  if (values.length > 1 && option.multiple !== true) throw wrong(`${key} takes one value`, `${key} 只能有一个值`)
  if (values.some((value) => value.includes('\0'))) throw wrong(`${key} must not hold a NUL`, `${key} 不能含有 NUL`)
  const [first] = values as [string]
  if (values.length === 1 && /^\$\{[^{}]+\}$/.test(first)) return { kind: 'reference', text: first }
  for (const value of values) assertType(key, option, value)
  return option.sensitive === true ? { kind: 'secret', value: values.join('\n') } : { kind: 'plain', values }
}

const assertType = (key: string, { type, min, max }: UserOption, value: string): void => {
  if (type === 'boolean' && value !== 'true' && value !== 'false')
    throw wrong(`${key} is true or false`, `${key} 应为 true 或 false`)
  if (type !== 'number') return
  const number = value.trim() === '' ? Number.NaN : Number(value)
  if (!Number.isFinite(number)) throw wrong(`${key} is a number`, `${key} 应为数字`)
  if (min !== undefined && number < min) throw wrong(`${key} is at least ${min}`, `${key} 至少为 ${min}`)
  if (max !== undefined && number > max) throw wrong(`${key} is at most ${max}`, `${key} 至多为 ${max}`)
}

const defaultOf = ({ default: byDefault }: UserOption, expand: (text: string) => string): UserValue | undefined => {
  if (byDefault === undefined) return undefined
  const values = typeof byDefault === 'object' ? byDefault : [String(byDefault)]
  // What stands in the manifest is no secret, whatever it calls itself.
  return { kind: 'plain', values: values.map(expand) }
}

const wrong = (en: string, zh: string): GatewayError =>
  new GatewayError('ARGUMENTS_INVALID', `The bundle's configuration is not complete: ${en}.`, {
    details: { zh: `扩展包的配置不完整：${zh}。` },
  })
