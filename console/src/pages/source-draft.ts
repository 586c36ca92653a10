import type { SourceKey } from '../../../src/faces/admin/source-reading.js'
import type { JsonValue as Json, JsonObject } from '../../../src/model/json.js'

export type SourceKinds = Readonly<Record<string, readonly SourceKey[]>>

/** A source as a form holds it: every key as text. */
export interface Draft {
  readonly type: string
  readonly texts: Readonly<Record<string, string>>
  /** Keys whose value has no simpler form than JSON, though their kind would have one. */
  readonly asJson: ReadonlySet<string>
}

/** The keys that say what a source is; all others are folded away. */
export const mainKeys: ReadonlySet<string> = new Set([
  ...['command', 'args', 'env', 'url', 'headers', 'spec', 'baseUrl', 'path', 'module', 'folder'],
])

export const toDraft = (config: JsonObject, kinds: SourceKinds): Draft => {
  const type = typeof config.type === 'string' && kinds[config.type] ? config.type : guessed(config)
  const all = allKeys(kinds)
  const given = Object.entries(config).flatMap(([key, value]) => {
    const field = all.get(key)
    return field && value !== null && value !== undefined ? [{ field, value: value as Json }] : []
  })
  const asJson = new Set(given.filter(({ field, value }) => !isSimple(field, value)).map(({ field }) => field.key))
  return {
    type,
    asJson,
    texts: Object.fromEntries(
      given.map(({ field, value }) => [field.key, asJson.has(field.key) ? json(value) : toText(field, value)]),
    ),
  }
}

export interface Written {
  /** The entry for the file. What the form does not know stays as it was. */
  readonly config: JsonObject
  /** What is not JSON yet, by its key. */
  readonly problems: Readonly<Record<string, string>>
}

export const toConfig = (draft: Draft, before: JsonObject, kinds: SourceKinds): Written => {
  const known = new Set(['type', ...allKeys(kinds).keys()])
  const problems: Record<string, string> = {}
  const own = (kinds[draft.type] ?? []).flatMap((field): readonly (readonly [string, Json])[] => {
    try {
      const value = fromText(draft, field)
      return value === undefined ? [] : [[field.key, value]]
    } catch (error) {
      problems[field.key] = (error as Error).message
      return []
    }
  })
  const kept = Object.entries(before).filter(([key]) => !known.has(key))
  return { config: Object.fromEntries([['type', draft.type], ...own, ...kept]) as JsonObject, problems }
}

/** How a field is written: its own way, or JSON. */
export const kindIn = ({ asJson }: Draft, { key, kind }: SourceKey): SourceKey['kind'] =>
  asJson.has(key) ? 'json' : kind

const guessed = (config: JsonObject): string => (config.url === undefined ? 'stdio' : 'http')

const allKeys = (kinds: SourceKinds): ReadonlyMap<string, SourceKey> =>
  new Map(Object.values(kinds).flatMap((fields) => fields.map((field) => [field.key, field] as const)))

/** Whether its kind can say it: a line cannot hold two, and a pair has no list in it. */
const isSimple = ({ kind }: SourceKey, value: Json): boolean => {
  if (kind === 'list') return Array.isArray(value) && value.every(isLine)
  if (kind === 'pairs') return isObject(value) && Object.entries(value).every(([name, each]) => isPair(name, each))
  if (kind === 'number') return typeof value === 'number'
  if (kind === 'switch') return typeof value === 'boolean'
  if (kind === 'choice') return typeof value === 'string'
  return kind === 'json' || (typeof value === 'string' && value === value.trim() && !value.includes('\n'))
}

const isLine = (value: unknown): boolean => typeof value === 'string' && value !== '' && !value.includes('\n')
const isPair = (name: string, value: unknown): boolean =>
  typeof value === 'string' && /^[^=:\s]+$/.test(name) && value === value.trim() && !value.includes('\n')

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Headers are written as in HTTP, variables as in a shell. */
const separatorOf = (key: string): string => (key === 'headers' ? ': ' : '=')

const toText = ({ key, kind }: SourceKey, value: Json): string => {
  if (kind === 'list') return (value as readonly string[]).join('\n')
  if (kind === 'json') return json(value)
  if (kind !== 'pairs') return String(value)
  return Object.entries(value as JsonObject)
    .map(([name, each]) => `${name}${separatorOf(key)}${String(each)}`)
    .join('\n')
}

const json = (value: Json): string => JSON.stringify(value, null, 2)

const fromText = (draft: Draft, field: SourceKey): Json | undefined => {
  const text = draft.texts[field.key] ?? ''
  if (text.trim() === '') return undefined
  switch (kindIn(draft, field)) {
    case 'list':
      return text.split('\n').filter((line) => line !== '')
    case 'pairs':
      return Object.fromEntries(
        text
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map((line) => pairIn(line, separatorOf(field.key).trim())),
      )
    case 'number':
      return Number.isFinite(Number(text)) ? Number(text) : text
    case 'switch':
      return text === 'true'
    case 'json':
      return JSON.parse(text) as Json
    default:
      return text.trim()
  }
}

const pairIn = (line: string, separator: string): readonly [string, string] => {
  const at = line.indexOf(separator)
  return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
}
