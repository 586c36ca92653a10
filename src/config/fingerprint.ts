import { createHash } from 'node:crypto'
import { defined, isRecord } from '../model/json.js'
import { canonical } from './diff.js'
import { lifecycleKeys } from './lifecycle-schema.js'
import { distinctReferences } from './referenced.js'
import { isSecretKey, mask } from './secrets.js'
import { shapeConfig } from './shapes.js'
import type { Environment } from './variables.js'

type Fields = Readonly<Record<string, unknown>>

/** What a configuration file would start, lead to or open, as it is written: names of variables, not their values. */
export interface Fingerprint {
  /** Names everything beside the sources that is not harmless. */
  readonly settings: string
  /** The same of each source that is switched on. */
  readonly sources: ReadonlyMap<string, string>
  /** The same of those that are off as well: being switched on makes none of them another. */
  readonly entries: ReadonlyMap<string, string>
  /** Behind those hashes, to be shown. */
  readonly written: { readonly settings: Fields; readonly sources: ReadonlyMap<string, Fields> }
}

/**
 * Keys of a source that change nothing of what runs, where it leads or what may be done with it. Every other key counts,
 * also one that is not known yet: who adds a key here decides that a stranger may set it.
 */
const harmlessKeys: ReadonlySet<string> = new Set([
  ...['enabled', 'description', 'tags', 'timeoutMs', 'downloadTimeoutMs'],
  ...lifecycleKeys,
])

/** The same for settings, by their place; whatever is below such a place is harmless too. */
export const harmlessSettings = [
  'logging.level',
  'logging.format',
  'search.method',
  'search.replyBytes',
  'calls.timeoutMs',
  'calls.retry',
  'calls.breaker',
  'calls.queueWaitMs',
  'server.firstListMs',
  'server.drainMs',
] as const

/** `env` are the variables that the file itself sets. */
export const fingerprintOf = (raw: Fields, env: Environment): Fingerprint => {
  const shaped = shapeConfig(raw)
  const entries = new Map([...shaped.sources].map(([name, entry]) => [name, guarded(entry)]))
  const sources = new Map([...entries].filter(([name]) => shaped.sources.get(name)?.enabled !== false))
  const settings = defined({
    ...without(shaped.settings, harmlessSettings),
    environment: Object.keys(env).length > 0 ? env : undefined,
  })
  return {
    settings: hashOf(settings),
    sources: hashed(sources),
    entries: hashed(entries),
    written: { settings, sources },
  }
}

const hashed = (sources: ReadonlyMap<string, Fields>): ReadonlyMap<string, string> =>
  new Map([...sources].map(([name, entry]) => [name, hashOf(entry)]))

const hashOf = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex')

const guarded = (entry: Fields): Fields =>
  Object.fromEntries(
    Object.entries(entry)
      .filter(([key, value]) => value !== undefined && !(harmlessKeys.has(key) && isPlain(value)))
      .map(([key, value]) => [key, key === 'env' || key === 'headers' || key === 'auth' ? named(value) : value]),
  )

// A placeholder, a path or a command line is no secret, whatever its name says.
const pointsAway = /\$|^[.~/\\]|^[A-Za-z]:\\|^\S+ +-/

/**
 * Keys and tokens are replaced now and then, and a new one is no other program: of those only the names count. Not where
 * a placeholder stands, which may be a file or a command; and every other variable counts whole, since some
 * (NODE_OPTIONS, LD_PRELOAD, PATH) decide what runs.
 */
const named = (value: unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, item]) => [
          key,
          isSecretKey(key) && typeof item === 'string' && !pointsAway.test(item) ? mask : named(item),
        ]),
      )
    : value

/** A reference to a file, a command or a keychain is harmless nowhere: reading the configuration follows it. */
const isPlain = (value: unknown): boolean => distinctReferences(value).length === 0

/** A copy without what is at these places, and without what is empty then. */
const without = (fields: Fields, places: readonly string[]): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => {
      if (places.includes(key) && isPlain(value)) return []
      if (!isRecord(value)) return [[key, value]]
      const below = places.flatMap((place) => (place.startsWith(`${key}.`) ? [place.slice(key.length + 1)] : []))
      const rest = without(value, below)
      return Object.keys(rest).length === 0 ? [] : [[key, rest]]
    }),
  )
