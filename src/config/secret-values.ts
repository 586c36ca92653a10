import type { LoadedConfig } from './load.js'
import { secretsSet } from './override-secrets.js'
import type { Path } from './problems.js'
import type { Config } from './schema.js'
import { isSecretPath } from './secrets.js'

/** What must never be seen of what was read: by where it stands, and whatever a file, a command or a keychain gave (T23). */
export const secretsOf = ({ config, lookedUp }: Pick<LoadedConfig, 'config' | 'lookedUp'>): readonly string[] => [
  ...secretValues(config),
  ...lookedUp.secrets,
]

/** Every value of the configuration that must never be seen: what the logger and every other output leaves out (T23). */
export const secretValues = (config: Config): readonly string[] => {
  const found = new Set<string>()
  const walk = (value: unknown, path: Path): void => {
    if (typeof value === 'string') for (const secret of secretsIn(value, path)) found.add(secret)
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) walk(item, [...path, key])
    if (path.includes('overrides')) for (const secret of secretsSet(value)) found.add(secret)
  }
  for (const [key, value] of Object.entries(config)) walk(value, [key])
  return [...found]
}

const secretsIn = (value: string, path: Path): readonly string[] => {
  // The first two names are ours or the operator's own: a source may be called "token".
  const isOurs = ['auth.apiKey', 'server.token', 'fleet.secret', 'fleet.previousSecrets'].includes(
    path.slice(0, 2).join('.'),
  )
  if (isOurs || isSecretPath(path.slice(2))) return [value, ...afterScheme(value)]
  return urlSecrets(value)
}

/** `Bearer abc` is known by `abc` too. */
const afterScheme = (value: string): readonly string[] => {
  const [, credential] = /^(?:Bearer|Basic|Token)\s+(\S+)$/i.exec(value) ?? []
  return credential === undefined ? [] : [credential]
}

/** The key of a token in a URL is anyone's guess, so each value of its query counts. */
const urlSecrets = (value: string): readonly string[] => {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value) || !URL.canParse(value)) return []
  const { password, searchParams } = new URL(value)
  return [...(password === '' ? [] : [decodeURIComponent(password)]), ...searchParams.values()]
}
