import { hash } from 'node:crypto'
import { hasRules } from '../config/load.js'
import type { Config, ProfileConfig } from '../config/schema.js'
import { GatewayError } from '../errors.js'
import type { ProfileSettings } from '../faces/mcp/profile.js'
import type { Fleet } from '../fleet/fleet.js'
import type { GatewayOptions } from '../gateway.js'
import { PooledLimiter, type TokenPool } from '../invocation/limits/pooled.js'
import { systemClock } from '../model/clock.js'
import { withDefaults } from '../model/defaults.js'
import { defined } from '../model/json.js'
import type { OwnSwitch } from '../model/tool.js'
import type { CallRules } from '../policy/call-rules.js'
import type { PolicyRules } from '../policy/policy.js'
import { runScriptName, runScriptWords } from '../sandbox/definition.js'
import type { ScriptTerms } from '../sandbox/scripts.js'
import type { SecretsRule } from '../secrets/mask.js'
import type { Storage } from '../storage/storage.js'
import { say } from './locale.js'
import { canCut } from './results.js'
import { isRegistryTools } from './version.js'

/** The tools of document 001's lists bind everybody; an empty whitelist there means no whitelist. */
/** What `rulesOf` and `callRulesOf` are made of. */
export const ruleSettings = [
  ...(['profiles', 'rules', 'scripts', 'toolManager.whitelist', 'toolManager.blacklist'] as const),
  ...(['results', 'overrides', 'sources', 'xiaozhi.endpoints'] as const),
] as const

export const rulesOf = (config: Config): PolicyRules => ({
  allow: config.toolManager.whitelist.length > 0 ? config.toolManager.whitelist : undefined,
  deny: config.toolManager.blacklist,
  profiles: Object.fromEntries(
    Object.entries(config.profiles).map(([name, { allow, deny, hideDown, readonly, flow }]) => [
      name,
      { allow, deny, hideDown, readonly, flow, switches: switchesOf(config, name) },
    ]),
  ),
})

/** What of the board itself is there in a profile: scripts where it wants them, reading on where something can be cut. */
const switchesOf = (config: Config, name: string): readonly OwnSwitch[] | undefined => {
  const switches: OwnSwitch[] = []
  if (config.scripts.enabled && config.profiles[name]?.scripts !== false) switches.push('scripts')
  if (canCut(config, name)) switches.push('results')
  return switches.length > 0 ? switches : undefined
}

/** The rules over what calls send, compiled; undefined where there are none, and then nothing of it is loaded. */
export const callRulesOf = async (config: Config): Promise<CallRules | undefined> => {
  if (!hasRules(config)) return undefined
  const [{ compileRules }, { ruleSetOf }] = await Promise.all([
    import('../policy/rules.js'),
    import('../config/check-rules.js'),
  ])
  return compileRules(ruleSetOf(config))
}

/** Undefined where a profile says nothing, which is what most calls should cost. */
export const quotaOf = ({ profiles }: Config, name: string): ProfileConfig['limits'] | undefined => {
  const limits = Object.hasOwn(profiles, name) ? profiles[name]?.limits : undefined
  return limits?.callsPerMinute === undefined && limits?.concurrency === undefined ? undefined : limits
}

/** By profile, as it is now; undefined where nothing is searched. Made once per configuration: every call asks. */
export const secretsIn = (config: Config): ((profile: string) => SecretsRule | undefined) => {
  const rules = new Map(
    Object.entries(config.profiles).flatMap(([name, { secrets }]) => {
      const rule = toRule(secrets)
      return rule.arguments === 'off' && rule.results === 'off' ? [] : [[name, rule] as const]
    }),
  )
  return (profile) => rules.get(profile)
}

const toRule = (written: ProfileConfig['secrets']): SecretsRule => {
  if (typeof written === 'string') return { arguments: written, results: written }
  const { allow, ...modes } = written
  return { ...modes, allow: allow.length > 0 ? new Set(allow) : undefined }
}

/** How a profile of this configuration shows its tools; undefined when there is none of this name. */
export const profileOf = ({ profiles, scripts }: Config, name: string): ProfileSettings | undefined => {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  return (
    profile && {
      naming: {
        style: profile.names,
        namespacing: profile.namespacing,
        collisions: profile.names === 'safe' ? 'hash' : 'refuse',
      },
      expose: profile.expose,
      // Under our second name we are a registry first: its tools are what its users came for.
      registry: isRegistryTools,
      pin: profile.pin,
      ownWords: scripts.enabled ? wordsOf(scriptTermsOf(scripts, profile.scripts)) : undefined,
      maxListBytes: profile.limits.maxListBytes,
      maxResultBytes: profile.limits.maxResultBytes,
    }
  )
}

/** What a profile lets scripts do; undefined where it has none. What it leaves open, the board says. */
export const scriptTermsOf = (
  { enabled, ...board }: Config['scripts'],
  profile: ProfileConfig['scripts'] | undefined,
): ScriptTerms | undefined => {
  if (!enabled || profile === undefined || profile === false) return undefined
  const { tools, ...own } = profile === true ? {} : profile
  const { timeoutMs, cpuMs, memoryMb, maxCalls, parallel, maxResultBytes: resultBytes } = withDefaults(board, own)
  return { limits: { timeoutMs, cpuMs, memoryBytes: memoryMb * 1024 ** 2, maxCalls, parallel, resultBytes }, tools }
}

const wordsOf = (terms: ScriptTerms | undefined): ProfileSettings['ownWords'] =>
  terms && { [runScriptName]: runScriptWords(terms.limits) }

/** How quotas are counted: with the other replicas, or undefined where there are none. */
export const sharedLimiter = (storage: Storage, fleet: Fleet): LimiterOf | undefined => {
  const pool = poolOf(storage, fleet)
  return pool && ((limit) => new PooledLimiter(limit, pool, systemClock))
}

const poolOf = ({ commons }: Storage, fleet: Fleet): TokenPool | undefined =>
  commons && {
    draw: async (key, wanted, limit) => {
      if (!commons.isUp) throw new GatewayError('STORE_UNREADABLE', say('The store is away.', '存储不可用。'))
      // Ids of callers are nobody's business, and may be long.
      return commons.buckets.draw(`quota ${limit.calls} ${hash('sha256', key)}`, wanted, limit)
    },
    sharers: () => fleet.members().length,
  }

type LimiterOf = NonNullable<NonNullable<GatewayOptions['limits']>['limiterOf']>
type CallSettings = Pick<GatewayOptions, 'timeoutMs' | 'retry' | 'breaker' | 'limits'>

/** How calls are carried, by the configuration as it is now; with `limiterOf` quotas are those of the whole fleet. */
export const callSettingsOf = (config: Config, limiterOf?: LimiterOf): CallSettings => {
  const { timeoutMs, retry, breaker, rate, ...limits } = config.calls
  return {
    timeoutMs,
    retry,
    breaker,
    limits: {
      ...limits,
      rate: rate.calls === 0 ? undefined : rate,
      quotaOf: ({ profile = 'default', limits: granted }) =>
        granted ? { ...quotaOf(config, profile), ...defined(granted) } : quotaOf(config, profile),
      limiterOf,
    },
  }
}
