import { dirname } from 'node:path'
import { sourceSection } from '../../config/edit.js'
import { readLayers } from '../../config/layers.js'
import { lookUp } from '../../config/look-up.js'
import { normaliseConfig } from '../../config/normalise.js'
import { newToolsOf, pinnedBy } from '../../config/pinning/pinned-by.js'
import { formatPath, pathKey } from '../../config/problems.js'
import { redacted } from '../../config/redact.js'
import type { Config, SourceConfig } from '../../config/schema.js'
import { mask } from '../../config/secrets.js'
import { GatewayError } from '../../errors.js'
import type { ConfiguredSource, SourceDesk } from '../../faces/admin/sources.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import type { Board } from '../board.js'
import type { FileInForce } from '../file-in-force.js'
import { patienceOf, tryOut } from './try-out.js'

/** Sources as an operator sees and changes them: in the file, with its comments, and at once in what runs. */
export const createSourceDesk = (board: Board, inForce: FileInForce): SourceDesk => {
  const change = (path: readonly [string, ...string[]], value: unknown): Promise<void> =>
    inForce.change(async () => [{ path: [await sourceSection(inForce.target, path[0]), ...path], value }])
  const rawOf = (name: string): unknown => rawSources(inForce.raw()).get(name)

  return {
    list: () => {
      const raw = rawSources(inForce.raw())
      return Object.entries(board.config.sources).map(([name, source]) =>
        toConfigured(name, source, raw.get(name), board.problems().get(name)),
      )
    },
    save: async (name, config, by) => {
      await change([name], withSecrets(config, rawOf(name), name))
      await board.reviewing.fourEyes.noteSource(name, by)
    },
    remove: async (name) => {
      const source = board.config.sources[name]
      await change([name], undefined)
      if (source && 'registry' in source && source.registry)
        await (await import('../registries/kept-secrets.js')).secretPlaceOf(board.config).forget(name)
    },
    setEnabled: (name, enabled) => change([name, 'enabled'], enabled),
    test: async (name, config, signal) => {
      const entry = withSecrets(config, rawOf(name), name)
      const source = await parseSource(name, entry, dirname(inForce.target), board.config.children)
      return tryOut(board.makeSource(name, source), signal, patienceOf(source))
    },
  }
}

const toConfigured = (
  name: string,
  source: SourceConfig,
  raw: unknown,
  problem: string | undefined,
): ConfiguredSource => ({
  name,
  type: source.type === 'misconfigured' ? source.declaredType : source.type,
  enabled: source.enabled,
  namespace: source.namespace,
  config: isRecord(raw) ? shownRaw(raw, name) : {},
  problem,
  pinned: { ...pinnedBy(source), newTools: newToolsOf(source) },
})

/** The entries as they stand in the file, whichever section holds them. */
const rawSources = (value: unknown): ReadonlyMap<string, unknown> => {
  const found = new Map<string, unknown>()
  for (const section of ['services', 'servers', 'mcpServers', 'sources'])
    if (isRecord(value) && isRecord(value[section]))
      for (const [name, entry] of Object.entries(value[section])) found.set(name, entry)
  return found
}

/** An entry as the file has it, placeholders as they are, secrets masked. */
const shownRaw = (raw: Record<string, unknown>, name: string): JsonObject => {
  const references = new Map<string, string>()
  const collect = (value: unknown, path: readonly (string | number)[]): void => {
    if (typeof value === 'string' && value.includes('${')) references.set(pathKey(path), value)
    else if (Array.isArray(value)) value.forEach((item, index) => void collect(item, [...path, index]))
    else if (isRecord(value)) for (const [key, item] of Object.entries(value)) collect(item, [...path, key])
  }
  collect(raw, ['sources', name])
  const shown = redacted({ sources: { [name]: raw } } as unknown as Config, references) as {
    sources: Record<string, JsonObject>
  }
  return shown.sources[name]!
}

/** What comes back masked was not changed: it keeps the value of the file. */
const withSecrets = (next: JsonObject, raw: unknown, name: string): JsonObject => {
  const restored = isRecord(raw) ? restore(next, shownRaw(raw, name), raw) : next
  if (JSON.stringify(restored).includes(`"${mask}"`))
    throw new GatewayError('CONFIG_INVALID', `A value of '${name}' is masked and has no other here; type it in again.`)
  return restored as JsonObject
}

const restore = (next: unknown, shown: unknown, raw: unknown): unknown => {
  if (typeof next === 'string') return next === shown && next.includes(mask) ? raw : next
  if (Array.isArray(next) && Array.isArray(shown) && Array.isArray(raw))
    return next.map((item, index) => restore(item, shown[index], raw[index]))
  if (isRecord(next) && isRecord(shown) && isRecord(raw))
    return Object.fromEntries(Object.entries(next).map(([key, item]) => [key, restore(item, shown[key], raw[key])]))
  return next
}

const parseSource = async (
  name: string,
  entry: JsonObject,
  folder: string,
  children: Config['children'],
): Promise<SourceConfig> => {
  const { values: lookUps } = await lookUp(entry, { folder, env: process.env })
  const { config } = normaliseConfig(
    // Tried out under the guards that it will run under.
    { sources: { [name]: { ...entry, enabled: true } }, children },
    {
      env: process.env,
      lookUps,
      layers: readLayers({}, {}),
      folder,
      dataFolder: folder,
      strict: true,
      subject: 'the source',
      where: formatPath,
    },
  )
  const source = config.sources[name]
  if (!source) throw new GatewayError('SOURCE_INVALID', `'${name}' cannot be the name of a source; use letters.`)
  return source
}
