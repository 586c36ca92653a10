import { isAbsolute, resolve } from 'node:path'
import { defined } from '../model/json.js'
import type { Sandbox } from '../sources/stdio/leash/guards.js'
import type { CompleteSettings } from './check-settings.js'
import { expandHome } from './layers.js'
import { setAt, valueAt } from './overlay.js'
import type { Config, SourceConfig } from './schema.js'
import { settingsIn } from './settings/setting.js'
import { settings as settingsTable } from './settings/table.js'
import type { Environment } from './variables.js'

/** The settings that are paths, by the table. */
export const pathSettings = settingsIn(settingsTable).filter(({ kind }) => kind.isPath)

type ScriptsConfig = Extract<SourceConfig, { readonly type: 'scripts' }>

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
  const { storage, sources, search, children, plugins } = settings
  const resolved = {
    ...settings,
    search: search.algorithms ? { ...search, algorithms: modulesIn(search.algorithms, toAbsolute) } : search,
    plugins: plugins.map((each) => (isPath(each.module) ? { ...each, module: toAbsolute(each.module) } : each)),
    storage: { ...storage, path: storage.path ?? dataFolder },
    sources: Object.fromEntries(
      Object.entries(sources).map(([name, source]) => [
        name,
        resolveSource(withChildGuards(source, children), toAbsolute),
      ]),
    ),
  }
  for (const { path } of pathSettings) {
    const written = valueAt(resolved, path)
    if (typeof written === 'string') setAt(resolved, path, toAbsolute(written))
  }
  return resolved
}

/** What is said for all children, where a source says nothing itself: so a change of it restarts those that it changes. */
const withChildGuards = (source: SourceConfig, children: Config['children']): SourceConfig => {
  if (source.type !== 'stdio' || (children.limits === undefined && children.sandbox === undefined)) return source
  return {
    ...source,
    ...defined({
      limits: children.limits || source.limits ? { ...children.limits, ...source.limits } : undefined,
      sandbox: source.sandbox ?? children.sandbox,
    }),
  } as SourceConfig
}

const modulesIn = (
  modules: Readonly<Record<string, string>>,
  toAbsolute: (path: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(modules).map(([name, path]) => [name, isPath(path) ? toAbsolute(path) : path]))

const resolveSource = (source: SourceConfig, toAbsolute: (path: string) => string): SourceConfig => {
  if (source.type === 'stdio')
    return {
      ...source,
      ...defined({
        cwd: source.cwd === undefined ? undefined : toAbsolute(source.cwd),
        sandbox: withMounts(source.sandbox, toAbsolute),
      }),
    }
  if (source.type === 'catalog') return { ...source, path: toAbsolute(source.path) }
  if (source.type === 'scripts') return { ...source, ...defined(scriptPaths(source, toAbsolute)) }
  if (source.type === 'openapi' && !isUrl(source.spec)) return { ...source, spec: toAbsolute(source.spec) }
  // A bare name is a package; where packages are found is the loader's affair.
  if (source.type === 'embedded' && isPath(source.module)) return { ...source, module: toAbsolute(source.module) }
  return source
}

const scriptPaths = ({ folder, scripts }: ScriptsConfig, toAbsolute: (path: string) => string) => ({
  folder: folder === undefined ? undefined : toAbsolute(folder),
  scripts:
    scripts &&
    Object.fromEntries(
      Object.entries(scripts).map(([name, script]) => [
        name,
        script.file === undefined ? script : { ...script, file: toAbsolute(script.file) },
      ]),
    ),
})

const withMounts = <Box extends Sandbox>(sandbox: Box | undefined, toAbsolute: (path: string) => string) =>
  typeof sandbox === 'object' && sandbox.mounts
    ? { ...sandbox, mounts: sandbox.mounts.map((mount) => ({ ...mount, path: toAbsolute(mount.path) })) }
    : sandbox

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text)
const isPath = (text: string): boolean => /^(?:\.{1,2}|~)(?:[/\\]|$)/.test(text) || isAbsolute(text)
