import { checkGrants } from './check-grants.js'
import { checkIdentity, withRequired } from './check-identity.js'
import type { ConfigFinding } from './issues.js'
import { kinds } from './kinds.js'
import { didYouMean } from './nearest.js'
import { type ConfigNote, formatPath, type Path } from './problems.js'
import type { Config, ProfileConfig } from './schema.js'
import type { Settings } from './settings/table.js'
import { settingsSchema } from './settings-schema.js'
import { type ValueCheck, validate } from './validate.js'

/** The settings with the defaults that depend on others: profiles know their namespacing, endpoints their limits. */
export type CompleteSettings = Omit<Settings, 'profiles' | 'xiaozhi'> & Pick<Config, 'profiles' | 'xiaozhi'>

/** Checks everything but the sources, and how the parts fit each other. */
export const checkSettings = (
  values: Readonly<Record<string, unknown>>,
  isExpanded: (path: Path) => boolean,
  names: 'exact' | 'safe',
): ValueCheck<CompleteSettings> & { readonly value?: CompleteSettings | undefined } => {
  const verdict = validate(settingsSchema, values, isExpanded)
  if (verdict.findings) return { findings: verdict.findings }
  const settings = verdict.value
  const findings = [
    ...checkReconnect(settings),
    ...checkEndpoints(settings),
    ...checkIdentity(settings),
    ...checkGrants(settings),
  ]
  if (findings.length > 0) return { findings }
  const auth = withRequired(settings, values.auth)
  return {
    value: { ...settings, auth, profiles: completeProfiles(settings, names), xiaozhi: completeXiaozhi(settings) },
  }
}

/** C5: the documented limit of the link is 1024 bytes; more is the operator's own risk. */
export const endpointNotes = (config: Config): readonly ConfigNote[] =>
  config.xiaozhi.endpoints.flatMap(({ maxResultSize }, index) =>
    maxResultSize > 1024
      ? [
          {
            path: formatPath(['xiaozhi', 'endpoints', index, 'maxResultSize']),
            message: `is ${maxResultSize}; answers over 1024 bytes may be lost on the link`,
          },
        ]
      : [],
  )

const checkReconnect = ({ xiaozhi }: Settings): readonly ConfigFinding[] =>
  xiaozhi.reconnect.initialBackoff <= xiaozhi.reconnect.maxBackoff
    ? []
    : [{ path: ['xiaozhi', 'reconnect', 'maxBackoff'], message: 'must not be less than initialBackoff; raise it' }]

const checkEndpoints = ({ xiaozhi, profiles }: Settings): readonly ConfigFinding[] => {
  const seen = new Set<string>()
  const names = new Set<string>()
  return xiaozhi.endpoints.flatMap(({ url, name, profile }, index): readonly ConfigFinding[] => {
    const path = ['xiaozhi', 'endpoints', index]
    if (name !== undefined && names.has(name))
      return [{ path: [...path, 'name'], message: `"${name}" is also the name of an earlier endpoint; choose another` }]
    if (name !== undefined) names.add(name)
    // X8: of two connections with one token each closes the other.
    if (seen.has(url)) return [{ path: [...path, 'url'], message: 'is the same as an earlier endpoint; remove one' }]
    seen.add(url)
    if (profile === 'default' || Object.hasOwn(profiles, profile)) return []
    const hint = didYouMean(profile, ['default', ...Object.keys(profiles)])
    return [
      { path: [...path, 'profile'], message: `there is no profile "${profile}"${hint || '; add it to "profiles"'}` },
    ]
  })
}

const completeProfiles = ({ profiles, toolManager }: Settings, names: 'exact' | 'safe'): Config['profiles'] => {
  const named = { default: kinds.profiles.parse({ default: {} }).default!, ...profiles }
  const complete = Object.entries(named).map(([name, profile]): [string, ProfileConfig] => [
    name,
    { ...profile, names: profile.names ?? names, namespacing: profile.namespacing ?? toolManager.namespaceEnabled },
  ])
  return Object.fromEntries(complete) as Config['profiles']
}

const completeXiaozhi = ({ xiaozhi, toolManager }: Settings): Config['xiaozhi'] => ({
  ...xiaozhi,
  endpoints: xiaozhi.endpoints.map((endpoint) => ({
    ...endpoint,
    maxResultSize: endpoint.maxResultSize ?? toolManager.maxResultSize,
    maxToolListSize: endpoint.maxToolListSize ?? toolManager.maxToolListSize,
  })),
})
