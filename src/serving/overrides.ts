import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../config/schema.js'
import type { Gateway, OverrideRules } from '../gateway.js'
import type { CurrentConfig } from './current.js'

/** What a configuration says about how tools are shown; undefined where it says nothing, and nothing of it is loaded. */
export const overrideRulesOf = ({ overrides, profiles, sources }: Config): OverrideRules | undefined => {
  const rules = {
    tools: overrides,
    profiles: said(profiles),
    sources: said(sources as Readonly<Record<string, { readonly overrides?: object | undefined }>>),
  }
  const isEmpty = Object.values(rules).every((each) => Object.keys(each).length === 0)
  return isEmpty ? undefined : (rules as unknown as OverrideRules)
}

const said = (
  entries: Readonly<Record<string, { readonly overrides?: object | undefined }>>,
): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Object.entries(entries).flatMap(([name, { overrides = {} }]) =>
      Object.keys(overrides).length > 0 ? [[name, overrides]] : [],
    ),
  )

/** Loaded with the first override that there is. */
export const overridingIn = async (config: Config) => {
  const rules = overrideRulesOf(config)
  return rules && (await import('../invocation/overriding.js')).overridingBy(rules)
}

/** What a reload says about tools counts at once; where it does not fit them, what was in force stays. */
export const followOverrides = (current: CurrentConfig, gateway: Gateway): void =>
  current.follow(['overrides', 'profiles', 'sources'], async (now, before) => {
    if (!isDeepStrictEqual(overrideRulesOf(now), overrideRulesOf(before))) gateway.override(await overridingIn(now))
  })
