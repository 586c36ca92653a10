import { isRecord } from '../model/json.js'
import type { OverrideConfig } from './override-schema.js'
import { type ConfigProblem, type Path, pathKey } from './problems.js'
import type { Config } from './schema.js'

/** The configuration with what its overrides set from outside the file marked as secret, wherever they stand. */
export const withSecretsIn = (config: Config, references: ReadonlyMap<string, string>): Config => {
  const each = <Entry extends Overridden>(entries: Readonly<Record<string, Entry>>, key: string) =>
    Object.fromEntries(
      Object.entries(entries).map(([name, entry]) => [name, withSecrets(entry, [key, name], references)]),
    )
  return {
    ...withSecrets(config, [], references),
    profiles: each(config.profiles, 'profiles') as Config['profiles'],
    sources: each(config.sources as Readonly<Record<string, Overridden>>, 'sources') as Config['sources'],
  }
}

/** Everybody is shown what an override says, except for what it sets: nothing else may come from a variable. */
export const shownReferences = (
  references: ReadonlyMap<string, string>,
  report: (path: Path, message: string) => ConfigProblem,
  originOf: (path: Path) => Path,
): readonly ConfigProblem[] =>
  [...references.keys()].flatMap((key) => {
    const path = JSON.parse(key) as Path
    const at = path[0] === 'overrides' ? 0 : path[2] === 'overrides' ? 2 : -1
    if (at < 0 || (path[at + 2] === 'arguments' && path[at + 4] === 'set')) return []
    return [report(originOf(path), 'is shown to everybody, so it cannot name a variable; only "set" can')]
  })

type Overridden = { readonly overrides?: Readonly<Record<string, unknown>> | undefined }

/** What is set from outside the file is a secret unless the file says otherwise: an operator should not have to say so twice. */
const withSecrets = <Entry extends Overridden>(
  entry: Entry,
  path: Path,
  references: ReadonlyMap<string, string>,
): Entry => {
  if (!entry.overrides || Object.keys(entry.overrides).length === 0) return entry
  const keys = [...references.keys()]
  const overrides = Object.fromEntries(
    Object.entries(entry.overrides as Record<string, OverrideConfig>).map(([tool, override]) => {
      const args = Object.entries(override.arguments ?? {}).map(([name, each]) => {
        const at = pathKey([...path, 'overrides', tool, 'arguments', name, 'set'])
        const isSecret = each.secret ?? (each.set !== undefined && keys.some((key) => isAtOrUnder(key, at)))
        return [name, isSecret ? { ...each, secret: true } : each]
      })
      return [tool, override.arguments ? { ...override, arguments: Object.fromEntries(args) } : override]
    }),
  )
  return { ...entry, overrides }
}

const isAtOrUnder = (key: string, at: string): boolean => key === at || key.startsWith(at.slice(0, -1))

/** Every text of what is set as a secret. */
export const secretsSet = (value: unknown): readonly string[] => {
  if (!isRecord(value)) return []
  return value.secret === true && 'set' in value ? textsIn(value.set) : []
}

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value.startsWith('$caller.') || value === '' ? [] : [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
