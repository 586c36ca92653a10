import { homedir } from 'node:os'
import type { ConfigNote, Path } from './problems.js'
import type { Environment } from './variables.js'

/** What the command line may set; the names are those of the flags (`--data-path` is `dataPath`). */
export interface ConfigFlags {
  readonly transport?: string | undefined
  readonly host?: string | undefined
  readonly port?: string | number | undefined
  readonly path?: string | undefined
  readonly token?: string | undefined
  readonly firstListMs?: string | number | undefined
  readonly publicUrl?: string | undefined
  readonly dataPath?: string | undefined
  readonly storageBackend?: string | undefined
  readonly searchMethod?: string | undefined
  readonly enableAuth?: boolean | undefined
  readonly share?: boolean | undefined
  readonly logLevel?: string | undefined
  readonly logFormat?: string | undefined
  readonly logFile?: string | undefined
}

/** A name that we are started by and that brings defaults of its own (document 002). */
export type ProgramName = 'registry-tools'

/** A setting from outside the file, and what to call it in a message. */
export interface Override {
  readonly path: Path
  readonly value: unknown
  readonly from: string
}

export interface Layers {
  readonly overrides: readonly Override[]
  readonly notes: readonly ConfigNote[]
  /** Used where neither the file nor an override says anything: what document 002 falls back to. */
  readonly fallbacks: readonly Override[]
}

export interface Setting {
  readonly path: Path
  readonly flag?: keyof ConfigFlags | undefined
  /** The first that is set and not empty counts. */
  readonly env: readonly string[]
  readonly read?: ((text: string, env: Environment) => unknown) | undefined
  /** Legal words. A wrong one in the environment is noted and skipped (002). */
  readonly words?: readonly string[] | undefined
}

const fold = (text: string): string => text.trim().toLowerCase()
const trimmed = (text: string): string => text.trim()
const toNumber = (text: string): unknown => (/^\s*\d{1,11}\s*$/.test(text) ? Number(text) : text)

const toSwitch = (text: string): unknown =>
  ['true', '1', 'yes', 'on'].includes(fold(text)) || (['false', '0', 'no', 'off'].includes(fold(text)) ? false : text)

// The names that Python and other loggers give to the same levels (002: WARNING).
const levels: Readonly<Record<string, string>> = { warning: 'warn', trace: 'debug', fatal: 'error', critical: 'error' }
const toLevel = (text: string): string => levels[fold(text)] ?? fold(text)

/** 002 expands `$VAR` and `~` in its data path. */
const toFolder = (text: string, env: Environment): string =>
  text.trim().replace(/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g, (whole, braced, bare) => env[braced ?? bare] ?? whole)

const pair = (name: string): readonly string[] => [`PEGBOARD_${name}`, `REGISTRYTOOLS_${name}`]

/** Numbers that have a variable named after their place: `calls.retry.attempts` is PEGBOARD_CALLS_RETRY_ATTEMPTS. */
const numberAt = (place: string): Setting => ({
  path: place.split('.'),
  env: [`PEGBOARD_${place.replace(/[A-Z]/g, '_$&').replaceAll('.', '_').toUpperCase()}`],
  read: toNumber,
})

/** Every setting that a flag or the environment may give. Also what the reference pages are made from. */
export const outsideSettings: readonly Setting[] = [
  { path: ['server', 'transport'], flag: 'transport', env: pair('TRANSPORT'), read: fold },
  { path: ['server', 'host'], flag: 'host', env: ['PEGBOARD_HOST'], read: trimmed },
  { path: ['server', 'port'], flag: 'port', env: ['PEGBOARD_PORT'], read: toNumber },
  { path: ['server', 'path'], flag: 'path', env: ['PEGBOARD_PATH'], read: trimmed },
  { path: ['server', 'token'], flag: 'token', env: ['PEGBOARD_TOKEN'] },
  { path: ['server', 'firstListMs'], flag: 'firstListMs', env: ['PEGBOARD_FIRST_LIST_MS'], read: toNumber },
  { path: ['server', 'publicUrl'], flag: 'publicUrl', env: ['PEGBOARD_PUBLIC_URL'], read: trimmed },
  ...[
    'server.drainMs',
    'server.limits.maxBodyBytes',
    'server.limits.maxBufferedBytes',
    'server.limits.maxHeaderBytes',
    'server.limits.headersTimeoutMs',
    'server.limits.requestTimeoutMs',
    'server.limits.checkIntervalMs',
    'server.limits.keepAliveMs',
    'server.limits.stalledMs',
    'server.limits.maxConnections',
    'calls.timeoutMs',
    'calls.retry.attempts',
    'calls.retry.backoffMs',
    'calls.retry.maxBackoffMs',
    'calls.breaker.failures',
    'calls.breaker.openMs',
    'calls.concurrency',
    'calls.concurrencyPerTool',
    'calls.queue',
    'calls.queueWaitMs',
    'calls.rate.calls',
    'calls.rate.perMs',
    'calls.maxDepth',
  ].map(numberAt),
  { path: ['server', 'instructions'], env: pair('DESCRIPTION'), read: trimmed },
  { path: ['storage', 'path'], flag: 'dataPath', env: pair('DATA_PATH'), read: toFolder },
  {
    path: ['storage', 'backend'],
    flag: 'storageBackend',
    env: pair('STORAGE_BACKEND'),
    read: fold,
    words: ['json', 'sqlite', 'memory'],
  },
  {
    path: ['search', 'method'],
    flag: 'searchMethod',
    env: pair('SEARCH_METHOD'),
    read: fold,
    words: ['auto', 'regex', 'bm25', 'embedding'],
  },
  { path: ['auth', 'required'], flag: 'enableAuth', env: pair('ENABLE_AUTH'), read: toSwitch },
  { path: ['auth', 'apiKey'], env: pair('API_KEY'), read: trimmed },
  { path: ['stdio', 'share'], flag: 'share', env: ['PEGBOARD_STDIO_SHARE'], read: toSwitch },
  { path: ['stdio', 'idleExitMs'], env: ['PEGBOARD_STDIO_IDLE_EXIT_MS'], read: toNumber },
  { path: ['recall', 'knowledge', 'url'], env: ['PEGBOARD_RECALL_KNOWLEDGE_URL'], read: trimmed },
  { path: ['recall', 'operators', 'url'], env: ['PEGBOARD_RECALL_OPERATORS_URL'], read: trimmed },
  { path: ['recall', 'apiUrl'], env: ['PEGBOARD_RECALL_API_URL'], read: trimmed },
  { path: ['recall', 'async'], env: ['PEGBOARD_RECALL_ASYNC'], read: toSwitch },
  { path: ['recall', 'gatewayTimeout'], env: ['PEGBOARD_RECALL_504'], read: toSwitch },
  { path: ['recall', 'schemas'], env: ['PEGBOARD_RECALL_SCHEMAS'], read: fold },
  { path: ['recall', 'depth'], env: ['PEGBOARD_RECALL_DEPTH'], read: toNumber },
  { path: ['recall', 'unreadable'], env: ['PEGBOARD_RECALL_UNREADABLE'], read: fold },
  { path: ['telemetry', 'audit'], env: ['PEGBOARD_AUDIT'], read: fold },
  { path: ['telemetry', 'otel'], env: ['PEGBOARD_OTEL'], read: toSwitch },
  { path: ['xiaozhi', 'endpoint'], env: ['MCP_ENDPOINT'], read: trimmed },
  { path: ['logging', 'level'], flag: 'logLevel', env: pair('LOG_LEVEL'), read: toLevel },
  // Beside ours, and lenient: many programs share this name, some with levels of their own.
  {
    path: ['logging', 'level'],
    env: ['LOG_LEVEL'],
    read: toLevel,
    words: ['debug', 'info', 'warn', 'error'],
  },
  { path: ['logging', 'format'], flag: 'logFormat', env: ['PEGBOARD_LOG_FORMAT'], read: trimmed },
  { path: ['logging', 'file'], flag: 'logFile', env: ['PEGBOARD_LOG_FILE'], read: trimmed },
]

/** Flags and environment as settings; a flag goes before a variable of the same meaning (C15). */
export const readLayers = (flags: ConfigFlags, env: Environment, program?: ProgramName): Layers => {
  const overrides: Override[] = []
  const notes: ConfigNote[] = []
  for (const setting of outsideSettings) {
    if (overrides.some((override) => String(override.path) === String(setting.path))) continue
    const found = fromFlag(setting, flags, env) ?? fromEnvironment(setting, env, notes)
    if (found) overrides.push(found)
  }
  return { overrides, notes, fallbacks: fallbacks(env, program) }
}

/** `~` and `~/x` at the home folder of the environment we were given. */
export const expandHome = (path: string, env: Environment): string =>
  path === '~' || path.startsWith('~/') || path.startsWith('~\\')
    ? (env.HOME ?? env.USERPROFILE ?? homedir()) + path.slice(1)
    : path

/** A flag as it is typed. */
export const toFlag = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

const fromFlag = ({ path, flag, read }: Setting, flags: ConfigFlags, env: Environment): Override | undefined => {
  const given = flag && flags[flag]
  if (flag === undefined || given === undefined) return undefined
  const value = typeof given === 'string' && read ? read(given, env) : given
  return { path, value, from: toFlag(flag) }
}

const fromEnvironment = (setting: Setting, env: Environment, notes: ConfigNote[]): Override | undefined => {
  const { path, read, words } = setting
  const from = setting.env.find((name) => env[name]?.trim())
  if (from === undefined) return undefined
  const value = read ? read(env[from]!, env) : env[from]
  if (!words || words.includes(String(value))) return { path, value, from }
  notes.push({ path: from, message: `is not one of ${words.join(', ')}; it is ignored` })
  return undefined
}

/** 002-15, 002 compat 10: its own variable, empty or wrong, means its own default, and so does its name. */
const fallbacks = (env: Environment, program: ProgramName | undefined): readonly Override[] => {
  const from = env.REGISTRYTOOLS_SEARCH_METHOD === undefined ? program : 'REGISTRYTOOLS_SEARCH_METHOD'
  return from === undefined ? [] : [{ path: ['search', 'method'], value: 'bm25', from }]
}
