import { defined, isRecord } from '../model/json.js'
import { type ConfigNote, formatPath } from './problems.js'
import type { Environment } from './variables.js'

export interface FastMcp {
  /** The file in our own keys. */
  readonly raw: Readonly<Record<string, unknown>>
  /** Variables that the file sets; the real ones go before them. */
  readonly env: Environment
  readonly notes: readonly ConfigNote[]
}

type Fields = Readonly<Record<string, unknown>>

/**
 * FastMCP's declarative file (002-06): where its server is served becomes where we serve; the server itself becomes a
 * source, unless it is RegistryTools, whose place we take. Any other file comes back as it is.
 */
export const readFastMcp = (file: Fields): FastMcp => {
  if (!isFastMcp(file)) return { raw: file, env: {}, notes: [] }
  const { source, environment, deployment, ...rest } = file
  const deployed = isRecord(deployment) ? deployment : {}
  const env = variablesIn(deployed.env)
  const entry = sourceOf(source, isRecord(environment) ? environment : {}, deployed)
  return {
    raw: defined({
      ...rest,
      ...section('server', rest.server, served(deployed)),
      ...section('logging', rest.logging, logged(deployed)),
      sources: entry ? { ...entry, ...(isRecord(rest.sources) ? rest.sources : {}) } : rest.sources,
    }),
    env,
    notes: [...sourceNotes(source, entry !== undefined), ...deploymentNotes(deployed, entry !== undefined)],
  }
}

const isFastMcp = ({ $schema, source, deployment, environment }: Fields): boolean =>
  (typeof $schema === 'string' && $schema.includes('/fastmcp.json/')) ||
  isRecord(deployment) ||
  isRecord(environment) ||
  (isRecord(source) && typeof source.path === 'string')

const transports: Readonly<Record<string, string>> = {
  stdio: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  sse: 'http',
}

const served = ({ transport, host, port, path }: Fields): Fields =>
  defined({
    transport: typeof transport === 'string' ? (transports[transport] ?? transport) : undefined,
    host,
    port,
    path,
  })

const levels: Readonly<Record<string, string>> = { warning: 'warn', critical: 'error' }

const logged = ({ log_level }: Fields): Fields => {
  if (typeof log_level !== 'string') return {}
  const level = log_level.trim().toLowerCase()
  return { level: levels[level] ?? level }
}

/** What the file says in our own words goes before what it says in FastMCP's. */
const section = (name: string, ours: unknown, theirs: Fields): Fields => {
  if (Object.keys(theirs).length === 0) return {}
  return { [name]: isRecord(ours) ? { ...theirs, ...ours } : (ours ?? theirs) }
}

const variablesIn = (env: unknown): Environment =>
  isRecord(env)
    ? Object.fromEntries(
        Object.entries(env).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
      )
    : {}

const registryTools = /(?:^|[/\\])registry_?tools[/\\]/i

/** The server of the file, started as FastMCP would. */
const sourceOf = (source: unknown, environment: Fields, deployed: Fields): Fields | undefined => {
  if (!isRecord(source) || typeof source.path !== 'string' || registryTools.test(source.path)) return undefined
  const entrypoint = typeof source.entrypoint === 'string' ? `:${source.entrypoint}` : ''
  const run = ['run', `${source.path}${entrypoint}`, '--transport', 'stdio', ...moreArguments(deployed.args)]
  const uv = uvArguments(environment)
  const env = variablesIn(deployed.env)
  return {
    [nameOf(source.path)]: defined({
      type: 'stdio',
      ...(uv ? { command: 'uv', args: ['run', ...uv, 'fastmcp', ...run] } : { command: 'fastmcp', args: run }),
      env: Object.keys(env).length > 0 ? env : undefined,
      cwd: typeof deployed.cwd === 'string' ? deployed.cwd : '.',
    }),
  }
}

const moreArguments = (args: unknown): readonly string[] =>
  Array.isArray(args) && args.length > 0 ? ['--', ...args.map(String)] : []

const uvArguments = (environment: Fields): readonly string[] | undefined => {
  const { python, dependencies, requirements, project, editable } = environment
  const texts = (value: unknown): readonly string[] =>
    (Array.isArray(value) ? value : [value]).flatMap((each) => (typeof each === 'string' ? [each] : []))
  const given = [
    ...texts(python).flatMap((each) => ['--python', each]),
    ...texts(project).flatMap((each) => ['--project', each]),
    ...texts(requirements).flatMap((each) => ['--with-requirements', each]),
    ...texts(editable).flatMap((each) => ['--with-editable', each]),
    ...texts(dependencies).flatMap((each) => ['--with', each]),
  ]
  return given.length === 0 ? undefined : ['--with', 'fastmcp', ...given]
}

const nameOf = (path: string): string => {
  const parts = path.split(/[/\\]/)
  const file = parts.at(-1)!.replace(/\.\w+$/, '')
  // Most are called server.py or main.py: their folder says more.
  const word = /^(?:server|main|app|__main__)$/.test(file) ? (parts.at(-2) ?? file) : file
  return word.replace(/[^A-Za-z0-9_-]/g, '_').replace(/^[_-]+/, '') || 'server'
}

const sourceNotes = (source: unknown, isMounted: boolean): readonly ConfigNote[] => {
  if (source === undefined || isMounted) return []
  const isOurs = isRecord(source) && typeof source.path === 'string' && registryTools.test(source.path)
  const message = isOurs
    ? 'is not started: this program is the server'
    : 'is left out: only a server in a file ("path") can be started; add it to "sources"'
  return [{ path: formatPath(['source']), message }]
}

const known = new Set(['transport', 'host', 'port', 'path', 'log_level', 'env', 'cwd', 'args'])

const deploymentNotes = (deployed: Fields, isMounted: boolean): readonly ConfigNote[] => {
  const ignored = Object.keys(deployed).filter(
    (key) => !known.has(key) || (!isMounted && ['cwd', 'args'].includes(key)),
  )
  const notes = ignored.map((key) => ({
    path: formatPath(['deployment', key]),
    message: 'is ignored: it has no meaning here',
  }))
  const sse = {
    path: formatPath(['deployment', 'transport']),
    message: 'is served as Streamable HTTP; SSE is not served',
  }
  return deployed.transport === 'sse' ? [...notes, sse] : notes
}
