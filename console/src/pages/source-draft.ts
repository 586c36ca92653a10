import type { JsonValue as Json, JsonObject } from '../../../src/model/json.js'

/** A source as a form holds it: every field as text. */
export interface Draft {
  readonly type: string
  readonly command: string
  readonly args: string
  readonly env: string
  readonly url: string
  readonly headers: string
  readonly spec: string
  readonly baseUrl: string
  readonly path: string
  readonly module: string
  readonly folder: string
  readonly namespace: string
  readonly onChange: string
}

export const sourceKinds = ['stdio', 'http', 'sse', 'websocket', 'openapi', 'catalog', 'embedded', 'scripts'] as const

/** Which fields a kind has. */
export const fieldsOfKind: Readonly<Record<string, readonly (keyof Draft)[]>> = {
  stdio: ['command', 'args', 'env'],
  http: ['url', 'headers'],
  sse: ['url', 'headers'],
  websocket: ['url', 'headers'],
  openapi: ['spec', 'baseUrl', 'headers'],
  catalog: ['path'],
  embedded: ['module'],
  scripts: ['folder'],
}

export const toDraft = (config: JsonObject): Draft => ({
  type: text(config.type) || (config.command === undefined ? 'http' : 'stdio'),
  command: text(config.command),
  args: Array.isArray(config.args) ? config.args.join('\n') : '',
  env: toLines(config.env, '='),
  url: text(config.url),
  headers: toLines(config.headers, ': '),
  spec: text(config.spec),
  baseUrl: text(config.baseUrl),
  path: text(config.path),
  module: text(config.module),
  folder: text(config.folder),
  namespace: text(config.namespace),
  onChange: text(config.onChange),
})

/** The entry for the file. What the form does not know stays as it was. */
export const toConfig = (draft: Draft, before: JsonObject): JsonObject => {
  const known = new Set<string>(['type', 'namespace', 'onChange', ...Object.values(fieldsOfKind).flat()])
  const kept = Object.entries(before).filter(([key]) => !known.has(key))
  const fields = fieldsOfKind[draft.type] ?? []
  const own = [...fields, 'namespace' as const, 'onChange' as const].map(
    (field) => [field, toValue(field, draft[field])] as const,
  )
  return Object.fromEntries([
    ['type', draft.type],
    ...own.filter(([, value]) => value !== undefined),
    ...kept,
  ]) as JsonObject
}

const toValue = (field: keyof Draft, value: string): Json | undefined => {
  if (value.trim() === '') return undefined
  if (field === 'args') return value.split('\n').filter((line) => line !== '')
  if (field === 'env') return fromLines(value, '=')
  return field === 'headers' ? fromLines(value, ':') : value.trim()
}

const fromLines = (value: string, separator: string): JsonObject =>
  Object.fromEntries(
    value
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const at = line.indexOf(separator)
        return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + separator.length).trim()]
      }),
  )

const toLines = (value: Json | undefined, separator: string): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
        .map(([key, each]) => `${key}${separator}${text(each as Json)}`)
        .join('\n')
    : ''

const text = (value: Json | undefined): string => (value === undefined || value === null ? '' : String(value))
