import { isRecord } from '../model/json.js'
import { grantNotes } from './check-grants.js'
import { checkSettings, endpointNotes } from './check-settings.js'
import { checkSources, type SourceDraft } from './check-sources.js'
import type { Layers, ProgramName } from './layers.js'
import { lifecycleKeys } from './lifecycle-schema.js'
import { overlay } from './overlay.js'
import { shownReferences, withSecretsIn } from './override-secrets.js'
import { type ConfigNote, type ConfigProblem, configError, formatPath, type Path, pathKey } from './problems.js'
import { resolvePaths } from './resolve-paths.js'
import type { Config, SourceConfig, UsableSource } from './schema.js'
import { type Shaped, shapeConfig } from './shapes.js'
import { type Environment, expandVariables, type LookUps } from './variables.js'

export interface NormaliseOptions {
  readonly env: Environment
  /** What the files, commands and keychain entries stand for that the file names; see `lookUp`. Default: nothing was looked up. */
  readonly lookUps?: LookUps | undefined
  readonly layers: Layers
  /** Where relative paths of the file start. */
  readonly folder: string
  readonly dataFolder: string
  readonly program?: ProgramName | undefined
  /**
   * True (`check`): whatever is wrong is an error, wherever it stands, as in 001. False (what starts and reloads, F28, U2):
   * what is wrong with a source sets that source aside. Unset variables of one that is switched off never matter.
   */
  readonly strict: boolean
  /** What to call the configuration in an error. */
  readonly subject: string
  /** Names a place of the file. */
  where(path: Path): string
}

export interface Normalised {
  readonly config: Config
  readonly notes: readonly ConfigNote[]
  /** Why sources cannot be used as they are written; empty where `strict`. */
  readonly problems: readonly ConfigProblem[]
  /** One more problem, found by whoever looks at what the configuration names. */
  report(path: Path, message: string): ConfigProblem
  /** The texts with placeholders, by the `pathKey` of where their expanded form stands in `config`. */
  readonly references: ReadonlyMap<string, string>
}

/** What a file, the environment and the flags say, as one frozen Config. Throws one error that lists every problem. */
export const normaliseConfig = (file: Readonly<Record<string, unknown>>, options: NormaliseOptions): Normalised => {
  const overlaid = overlay(file, options.layers)
  const shaped = shapeConfig(overlaid.raw)
  const report = (theirs: Path, message: string, code: ConfigProblem['code'] = 'CONFIG_INVALID'): ConfigProblem => ({
    code,
    path: formatPath(theirs),
    where: overlaid.overriddenBy(theirs) ?? options.where(theirs),
    message,
  })
  const expanded = expandShaped(shaped, options, (path, message, code) =>
    report(shaped.origins.of(path), message, code),
  )
  const settings = checkSettings(expanded.settings, expanded.isExpanded, namesIn(overlaid.raw, options.program))
  const reportOurs = (path: Path, message: string): ConfigProblem => report(shaped.origins.of(path), message)
  const unreadable = shaped.unreadable.map(({ path, message, ...entry }) => ({
    ...entry,
    problems: [report(path, message)],
  }))
  const sources = checkSources(expanded.sources, unreadable, {
    ...expanded,
    separator: separatorOf(expanded.settings),
    report: reportOurs,
  })
  const problems = [
    ...shaped.problems.map(({ path, message }) => report(path, message)),
    ...expanded.problems,
    // What an unresolved placeholder looks like to a schema is no news.
    ...(settings.findings ?? [])
      .filter(({ path }) => !expanded.isUnresolved(path))
      .map(({ path, message }) => reportOurs(path, message)),
  ]
  problems.push(...shownReferences(expanded.references, report, shaped.origins.of))
  const refused = options.strict ? [...problems, ...sources.problems] : problems
  if (refused.length > 0 || !settings.value) throw configError(refused, options.subject)
  const config = withSecretsIn(
    resolvePaths({ ...settings.value, sources: sources.value }, options),
    expanded.references,
  )
  const notes = [
    ...overlaid.notes,
    ...shaped.notes,
    ...dollarNotes(shaped, expanded.references),
    ...endpointNotes(config),
    ...grantNotes(config),
    ...sourceNotes(config.sources),
  ]
  return {
    config: deepFreeze(config),
    notes,
    problems: sources.problems,
    report: reportOurs,
    references: expanded.references,
  }
}

/** What of a file is in use, as it is written: sources that are switched off or `withheld` are left out, with whatever they name. */
export const inUse = (
  file: Readonly<Record<string, unknown>>,
  layers: Layers,
  withheld: readonly string[] = [],
): unknown => {
  const { settings, sources } = shapeConfig(overlay(file, layers).raw)
  return {
    ...settings,
    sources: [...sources].filter(([name, { enabled }]) => enabled !== false && !withheld.includes(name)),
  }
}

/** Documents 001 and 002 promise names as they are; everybody else is better served by those that every model takes. */
const namesIn = (raw: Readonly<Record<string, unknown>>, program: ProgramName | undefined): 'exact' | 'safe' =>
  'services' in raw || program === 'registry-tools' ? 'exact' : 'safe'

interface ExpandedShape {
  readonly settings: Readonly<Record<string, unknown>>
  readonly sources: readonly SourceDraft[]
  readonly references: ReadonlyMap<string, string>
  /** About the settings; those of a source are in its draft. */
  readonly problems: readonly ConfigProblem[]
  isExpanded(path: Path): boolean
  isUnresolved(path: Path): boolean
}

const expandShaped = (
  shaped: Shaped,
  { env, lookUps }: Pick<NormaliseOptions, 'env' | 'lookUps'>,
  report: (path: Path, message: string, code: ConfigProblem['code']) => ConfigProblem,
): ExpandedShape => {
  const expansion = expandVariables({ ...shaped.settings, sources: Object.fromEntries(shaped.sources) }, env, lookUps)
  const { sources, ...settings } = expansion.value as Record<string, Record<string, unknown>>
  const references = new Map(expansion.expanded.map(({ path, template }) => [pathKey(path), template]))
  const unresolved = new Set(expansion.problems.map(({ path }) => pathKey(path)))
  const bySource = new Map<unknown, ConfigProblem[]>()
  for (const { path, message, code } of expansion.problems) {
    const source = path[0] === 'sources' ? path[1] : undefined
    bySource.set(source, [...(bySource.get(source) ?? []), report(path, message, code)])
  }
  return {
    settings,
    sources: Object.entries(sources ?? {}).map(([name, value]) => ({
      name,
      value: value as Record<string, unknown>,
      problems: bySource.get(name) ?? [],
    })),
    references,
    problems: bySource.get(undefined) ?? [],
    isExpanded: (path) => references.has(pathKey(path)),
    isUnresolved: (path) => unresolved.has(pathKey(path)),
  }
}

// Before the settings are checked, so that a mistake elsewhere in them does not bring up namespaces as well.
const separatorOf = ({ toolManager }: Readonly<Record<string, unknown>>): string => {
  const written = isRecord(toolManager) ? toolManager.namespaceSeparator : undefined
  return typeof written === 'string' && written.length === 1 ? written : '.'
}

const sourceNotes = (sources: Readonly<Record<string, SourceConfig>>): readonly ConfigNote[] =>
  Object.entries(sources).flatMap(([name, source]) =>
    source.type === 'misconfigured' ? [] : idleKeyNotes(name, source),
  )

/** Every source may have every common key (001 writes `healthCheck` everywhere), but some have nothing to start or watch. */
const idleKeyNotes = (name: string, source: UsableSource): readonly ConfigNote[] => {
  if (!['openapi', 'catalog', 'embedded', 'scripts'].includes(source.type)) return []
  const written = source as unknown as Readonly<Record<string, unknown>>
  return lifecycleKeys
    .filter((key) => written[key] !== undefined && written[key] !== false)
    .map((key) => ({
      path: formatPath(['sources', name, key]),
      message: `is ignored: a source of type ${source.type} has no connection to start or watch`,
    }))
}

/** Clients take `$$` for two dollar signs, so a password pasted from one of their files may end up another. */
const dollarNotes = ({ origins }: Shaped, references: ReadonlyMap<string, string>): readonly ConfigNote[] =>
  [...references].flatMap(([key, template]) => {
    const theirs = origins.of(JSON.parse(key) as Path)
    const isClients = theirs[0] === 'mcpServers' || theirs[0] === 'servers'
    if (!isClients || !/\$\$(?!\{)/.test(template)) return []
    return [{ path: formatPath(theirs), message: 'holds "$$", which is read as one "$"; write "$$$$" for two' }]
  })

const deepFreeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const item of Object.values(value)) deepFreeze(item)
  return Object.freeze(value)
}
