import { isAbsolute, resolve } from 'node:path'
import type { CompleteSettings } from './check-settings.js'
import { expandHome } from './layers.js'
import { setAt, valueAt } from './overlay.js'
import type { Config, SourceConfig } from './schema.js'
import { settingsIn } from './settings/setting.js'
import { settings as settingsTable } from './settings/table.js'
import type { Environment } from './variables.js'

/** The settings that are paths, by the table. */
export const pathSettings = settingsIn(settingsTable).filter(({ kind }) => kind.isPath)

export interface Folders {
  /** Where relative paths start. */
  readonly folder: string
  readonly dataFolder: string
  readonly env: Environment
}

/**
 * Makes the paths absolute, so that they mean the same wherever the process was started. Commands and arguments stay
 * byte for byte as they were written (T15): the program that runs is the one that was shown.
 */
export const resolvePaths = (
  settings: CompleteSettings & Pick<Config, 'sources'>,
  { folder, dataFolder, env }: Folders,
): Config => {
  const toAbsolute = (path: string): string => resolve(folder, expandHome(path, env))
  const { storage, sources, search } = settings
  const resolved = {
    ...settings,
    search: search.algorithms ? { ...search, algorithms: modulesIn(search.algorithms, toAbsolute) } : search,
    storage: { ...storage, path: storage.path ?? dataFolder },
    sources: Object.fromEntries(
      Object.entries(sources).map(([name, source]) => [name, resolveSource(source, toAbsolute)]),
    ),
  }
  for (const { path } of pathSettings) {
    const written = valueAt(resolved, path)
    if (typeof written === 'string') setAt(resolved, path, toAbsolute(written))
  }
  return resolved
}

const modulesIn = (
  modules: Readonly<Record<string, string>>,
  toAbsolute: (path: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(modules).map(([name, path]) => [name, isPath(path) ? toAbsolute(path) : path]))

const resolveSource = (source: SourceConfig, toAbsolute: (path: string) => string): SourceConfig => {
  if (source.type === 'stdio') return source.cwd === undefined ? source : { ...source, cwd: toAbsolute(source.cwd) }
  if (source.type === 'catalog') return { ...source, path: toAbsolute(source.path) }
  if (source.type === 'openapi' && !isUrl(source.spec)) return { ...source, spec: toAbsolute(source.spec) }
  // A bare name is a package; where packages are found is the loader's affair.
  if (source.type === 'embedded' && isPath(source.module)) return { ...source, module: toAbsolute(source.module) }
  return source
}

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text)
const isPath = (text: string): boolean => /^(?:\.{1,2}|~)(?:[/\\]|$)/.test(text) || isAbsolute(text)
