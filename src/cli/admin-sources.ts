import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { parse } from 'jsonc-parser'
import { parse as parseYaml } from 'yaml'
import { editFile, replaceFile, sourceSection } from '../config/edit.js'
import { readLayers } from '../config/layers.js'
import { type LoadedConfig, loadConfig } from '../config/load.js'
import { normaliseConfig } from '../config/normalise.js'
import { formatPath, pathKey } from '../config/problems.js'
import { redacted } from '../config/redact.js'
import type { Config, SourceConfig } from '../config/schema.js'
import { mask } from '../config/secrets.js'
import { GatewayError } from '../errors.js'
import type { ConfiguredSource, SourceDesk } from '../faces/admin/board.js'
import { isRecord, type JsonObject } from '../model/json.js'
import type { Board } from './board.js'
import type { CommonFlags } from './flags.js'
import { tryOut } from './try-out.js'

export interface SourceDeskOptions {
  readonly board: Board
  /** The file to edit; made by the first edit where there is none. */
  readonly file: string
  readonly flags: CommonFlags
  reload(next: LoadedConfig): Promise<void>
}

/** Sources as an operator sees and changes them: in the file, with its comments, and at once in what runs. */
export const createSourceDesk = ({ board, file, flags, reload }: SourceDeskOptions): SourceDesk => {
  let last: Promise<unknown> = Promise.resolve()
  // One edit at a time: each builds on the file that the one before left.
  const inTurn = (edit: () => Promise<void>): Promise<void> => {
    const done = last.then(edit)
    last = done.catch(() => {})
    return done
  }
  const change = (path: readonly string[], value: unknown): Promise<void> =>
    inTurn(async () => {
      const section = await sourceSection(file, path[0])
      const before = await readFile(file, 'utf8').catch(() => undefined)
      await editFile(file, [{ path: [section, ...path], value }])
      try {
        const env = process.env
        await reload(await loadConfig({ file, cwd: process.cwd(), env, flags, strict: false }))
      } catch (error) {
        await replaceFile(file, before ?? '{}\n')
        throw error
      }
    })
  const rawOf = (name: string): unknown => rawSources(file).get(name)

  return {
    list: () => {
      const raw = rawSources(file)
      return Object.entries(board.config.sources).map(([name, source]) =>
        toConfigured(name, source, raw.get(name), board.problems().get(name)),
      )
    },
    save: (name, config) => change([name], withSecrets(config, rawOf(name), name)),
    remove: (name) => change([name], undefined),
    setEnabled: (name, enabled) => change([name, 'enabled'], enabled),
    test: (name, config, signal) => {
      const source = parseSource(name, withSecrets(config, rawOf(name), name), dirname(file))
      return tryOut(board.makeSource(name, source), signal)
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
  enabled: source.type === 'misconfigured' || source.enabled,
  namespace: source.namespace,
  config: isRecord(raw) ? shownRaw(raw, name) : {},
  problem: problem ?? (source.type === 'misconfigured' ? source.problems.join(' ') : undefined),
})

/** The entries as they stand in the file, whichever section holds them. */
const rawSources = (file: string): ReadonlyMap<string, unknown> => {
  const found = new Map<string, unknown>()
  const value = readRaw(file)
  for (const section of ['services', 'servers', 'mcpServers', 'sources'])
    if (isRecord(value) && isRecord(value[section]))
      for (const [name, entry] of Object.entries(value[section])) found.set(name, entry)
  return found
}

const readRaw = (file: string): unknown => {
  try {
    const text = readFileSync(file, 'utf8')
    return /^\.ya?ml$/i.test(extname(file)) ? parseYaml(text) : parse(text, [], { allowTrailingComma: true })
  } catch {
    // What runs is what was read before; only its text cannot be shown.
    return undefined
  }
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

const parseSource = (name: string, entry: JsonObject, folder: string): SourceConfig => {
  const { config } = normaliseConfig(
    { sources: { [name]: { ...entry, enabled: true } } },
    {
      env: process.env,
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
