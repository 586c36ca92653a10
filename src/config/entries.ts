import { defined, isRecord } from '../model/json.js'
import { normaliseConfig } from './normalise.js'
import { formatPath } from './problems.js'
import type { UsableSource } from './schema.js'
import { escapeText } from './variables.js'

export interface EntryOptions {
  /** Where relative paths start. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly separator?: string | undefined
}

/**
 * The entries of a program's own `mcpServers`, in every shape a file's may have; those that are switched off are left out.
 * Texts are taken as they are: what a program has read from a variable must not be searched for placeholders once more.
 * Throws one error that lists every problem with its place.
 */
export const readEntries = (
  entries: Readonly<Record<string, unknown>>,
  { folder, env, separator }: EntryOptions,
): ReadonlyMap<string, UsableSource> => {
  const mcpServers = Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, literal(entry)]))
  const { config } = normaliseConfig(
    {
      mcpServers,
      ...defined({ toolManager: separator === undefined ? undefined : { namespaceSeparator: separator } }),
    },
    {
      env,
      layers: { overrides: [], notes: [], fallbacks: [] },
      folder,
      dataFolder: folder,
      strict: true,
      subject: 'What was given as mcpServers',
      where: formatPath,
    },
  )
  // Strict, so none of them is set aside.
  const usable = Object.entries(config.sources) as [string, UsableSource][]
  return new Map(usable.filter(([, { enabled }]) => enabled))
}

const literal = (value: unknown): unknown => {
  if (typeof value === 'string') return escapeText(value)
  if (value instanceof URL) return escapeText(value.href)
  if (Array.isArray(value)) return value.map(literal)
  if (!isRecord(value)) return value
  // A key whose value a program leaves undefined is one it did not write.
  const written = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(written.map(([key, each]) => [key, literal(each)]))
}
