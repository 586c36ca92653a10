import { type DiffLine, lineDiff } from '../../clients/line-diff.js'
import type { Config } from '../../config/schema.js'
import { isRecord } from '../../model/json.js'
import type { InputAnswers } from '../../registries/inputs.js'
import { answersIn, type RegistryOrigin } from '../../registries/origin.js'
import { waysOf } from '../../registries/ways.js'
import type { WrittenSources } from '../config-file.js'
import { toldHere } from '../error-words.js'
import { shownSources } from '../importing/shown-sources.js'
import { type PlannedServer, planServer } from './install.js'
import type { FoundServer, Registries } from './registries.js'

/** A source that came from a registry, and what that has for it now. */
export interface NewerVersion {
  readonly source: string
  readonly name: string
  readonly version: string
  /** The newest version there; undefined where it could not be learned. */
  readonly latest: string | undefined
  readonly state: 'current' | 'newer' | 'refused' | 'away'
  /** Why, where it is refused or away. */
  readonly reason: string | undefined
  /** What would change in the configuration. */
  readonly diff: readonly DiffLine[]
  /** What the newer version asks for beside what was answered. */
  readonly missing: readonly string[]
  readonly planned: PlannedServer | undefined
  /** What was answered when it was added. */
  readonly answers: InputAnswers
}

/** The sources that came from a registry. */
export const registeredSources = (
  sources: WrittenSources,
): readonly { readonly source: string; readonly origin: RegistryOrigin }[] =>
  [...sources].flatMap(([source, entry]) => (isOrigin(entry.registry) ? [{ source, origin: entry.registry }] : []))

const isOrigin = (value: unknown): value is RegistryOrigin =>
  isRecord(value) && ['url', 'name', 'version', 'package'].every((key) => typeof value[key] === 'string')

/** Looks, source by source, for what is newer. Nothing is taken. */
export const findUpdates = async (
  sources: WrittenSources,
  config: Pick<Config, 'storage'>,
  registriesAt: (url: string) => Registries,
  options: {
    readonly only?: string | undefined
    readonly signal?: AbortSignal | undefined
    readonly onSource?: ((name: string) => void) | undefined
  } = {},
): Promise<readonly NewerVersion[]> => {
  const updates: NewerVersion[] = []
  for (const { source, origin } of registeredSources(sources)) {
    if (options.only !== undefined && source !== options.only) continue
    options.onSource?.(source)
    const about = { source, name: origin.name, version: origin.version }
    try {
      const found = await registriesAt(origin.url).find(origin.name, undefined, options.signal)
      updates.push({ ...about, ...compare(source, sources.get(source)!, origin, found, config) })
    } catch (error) {
      options.signal?.throwIfAborted()
      updates.push({ ...about, ...nothing, latest: undefined, state: 'away', reason: toldHere(error) })
    }
  }
  return updates
}

type Compared = Omit<NewerVersion, 'source' | 'name' | 'version'>

const nothing = { diff: [], missing: [], planned: undefined, answers: {} } as const

const compare = (
  source: string,
  entry: Readonly<Record<string, unknown>>,
  origin: RegistryOrigin,
  found: FoundServer,
  config: Pick<Config, 'storage'>,
): Compared => {
  const latest = found.listed.server.version
  if (latest === origin.version) return { ...nothing, latest, state: 'current', reason: undefined }
  try {
    const way = waysOf(found.listed.server).find(({ id }) => id === origin.package)
    const answers = way ? answersIn(entry, way) : {}
    const planned = planServer(found, { as: source, way: origin.package, answers }, config)
    const next = mergedEntry(entry, planned.plan.entry)
    return {
      latest,
      state: 'newer',
      reason: undefined,
      diff: lineDiff(shown(source, entry), shown(source, next)),
      missing: planned.plan.missing.map(({ name }) => name),
      planned,
      answers,
    }
  } catch (error) {
    return { ...nothing, latest, state: 'refused', reason: toldHere(error) }
  }
}

const shown = (name: string, entry: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(shownSources([[name, entry]])[name], null, 2)

/** What the registry decides; all else in an entry is its owner's and stays. */
const decided: ReadonlySet<string> = new Set(['type', 'command', 'args', 'url', 'description', 'registry'])

/** An entry as a newer version has it, with all that is its owner's own. */
export const mergedEntry = (
  before: Readonly<Record<string, unknown>>,
  planned: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const kept = Object.entries(before).filter(([key]) => !decided.has(key))
  const merged = { ...Object.fromEntries(kept), ...planned }
  const both = (key: string): object | undefined =>
    isRecord(before[key]) || isRecord(planned[key])
      ? { ...(before[key] as object | undefined), ...(planned[key] as object | undefined) }
      : undefined
  const env = both('env')
  const headers = both('headers')
  return { ...merged, ...(env && { env }), ...(headers && { headers }) }
}
