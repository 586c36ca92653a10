import { statSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { GatewayError } from '../errors.js'
import { isRecord, kindOf } from '../model/json.js'

/** Where an MCP server is, in the words of document 003's `mcpServers`. */
export interface McpServerConfig {
  readonly type?: string | undefined
  readonly transport?: string | undefined
  readonly command?: string | undefined
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
  readonly url?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** A bearer token. */
  readonly auth?: string | undefined
  /** Milliseconds for one call. */
  readonly timeout?: number | undefined
  /** False ends the connection when it was not used for a while. */
  readonly keep_alive?: boolean | undefined
}

/** A script, a URL, one server, or several by name. */
export type McpTransport =
  | string
  | URL
  | McpServerConfig
  | { readonly mcpServers: Readonly<Record<string, McpServerConfig>> }

export interface McpServer {
  readonly name: string
  readonly reach:
    | {
        readonly type: 'stdio'
        readonly command: string
        readonly args: readonly string[]
        readonly env?: Readonly<Record<string, string>> | undefined
        readonly cwd?: string | undefined
      }
    | {
        readonly type: 'http' | 'sse' | 'websocket'
        readonly url: string
        readonly headers: Readonly<Record<string, string>>
      }
  readonly timeoutMs?: number | undefined
  readonly idleStopMs?: number | undefined
}

const idleStopMs = 1000

/** The servers a transport names. Throws SOURCE_INVALID with what it may be; nothing is asked of anybody on stdin (003-10). */
export const parseTransport = (transport: unknown): readonly McpServer[] => {
  if (transport instanceof URL) return [byText(transport.href)]
  if (typeof transport === 'string') return [byText(transport)]
  if (!isRecord(transport)) throw invalid(`An MCP transport cannot be ${kindOf(transport)}`)
  if (!('mcpServers' in transport)) return [byEntry('server', transport)]
  if (!isRecord(transport.mcpServers)) throw invalid('`mcpServers` must be an object of servers by name')
  const servers = Object.entries(transport.mcpServers).map(([name, entry]) => byEntry(name, entry))
  if (servers.length === 0) throw invalid('`mcpServers` names no server')
  return servers
}

const byText = (text: string): McpServer => {
  const url = /^(https?|wss?):\/\//i.test(text) ? parseUrl(text, 'transport') : undefined
  if (url) return { name: url.hostname, reach: { type: typeByUrl(url), url: text, headers: {} } }
  const path = resolve(text)
  const reach = { type: 'stdio', command: interpreterOf(text), args: [path] } as const
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw invalid(`There is no script '${text}'`)
  return { name: basename(text, extname(text)), reach }
}

const interpreterOf = (script: string): string => {
  const extension = extname(script).toLowerCase()
  // Our own interpreter: a `node` on the path may be another one, or none.
  if (['.js', '.mjs', '.cjs'].includes(extension)) return process.execPath
  if (extension === '.py') return process.platform === 'win32' ? 'python' : 'python3'
  throw invalid(`'${text120(script)}' is neither a URL nor a script (.js, .mjs, .cjs, .py)`)
}

const byEntry = (name: string, entry: unknown): McpServer => {
  if (!isRecord(entry)) throw invalid(`The server '${name}' must be an object, got ${kindOf(entry)}`)
  const { timeout, keep_alive: keepAlive } = entry
  return {
    name,
    reach: entry.command === undefined ? byUrl(name, entry) : byCommand(name, entry),
    timeoutMs: typeof timeout === 'number' && timeout > 0 ? timeout : undefined,
    idleStopMs: keepAlive === false ? idleStopMs : undefined,
  }
}

const byCommand = (name: string, entry: Record<string, unknown>): McpServer['reach'] => {
  const { command, args = [], env, cwd } = entry
  const isText = (value: unknown): value is string => typeof value === 'string'
  if (!isText(command)) throw invalid(`"command" of the server '${name}' must be text, got ${kindOf(command)}`)
  if (!Array.isArray(args) || !args.every(isText))
    throw invalid(`"args" of the server '${name}' must be a list of text`)
  return {
    type: 'stdio',
    command,
    args,
    env: env === undefined ? undefined : textsOf(env, 'env', name),
    cwd: isText(cwd) ? cwd : undefined,
  }
}

const byUrl = (name: string, entry: Record<string, unknown>): McpServer['reach'] => {
  if (typeof entry.url !== 'string') throw invalid(`The server '${name}' says neither "command" nor "url"`)
  const url = parseUrl(entry.url, name)
  const headers = entry.headers === undefined ? {} : textsOf(entry.headers, 'headers', name)
  return { type: typeOf(entry, url, name), url: entry.url, headers: { ...bearer(entry.auth, name), ...headers } }
}

const typeOf = (entry: Record<string, unknown>, url: URL, name: string): 'http' | 'sse' | 'websocket' => {
  const said = entry.transport ?? entry.type
  if (said === undefined || said === null) return typeByUrl(url)
  if (said === 'sse') return 'sse'
  if (said === 'http' || said === 'streamable-http' || said === 'streamable_http') return 'http'
  if (said === 'websocket' || said === 'ws') return 'websocket'
  throw invalid(`The server '${name}' has a type that a URL cannot have; use http, sse or websocket`)
}

// As the original tells them apart: by the path.
const typeByUrl = ({ protocol, pathname }: URL): 'http' | 'sse' | 'websocket' => {
  if (/^wss?:$/.test(protocol)) return 'websocket'
  return /\/sse(\/|$)/.test(pathname) ? 'sse' : 'http'
}

const bearer = (auth: unknown, name: string): Record<string, string> => {
  if (auth === undefined || auth === null) return {}
  if (typeof auth === 'string' && auth !== 'oauth') return { Authorization: `Bearer ${auth}` }
  throw invalid(`"auth" of the server '${name}' must be a token; signing in through a browser is not possible here`)
}

const textsOf = (value: unknown, key: string, name: string): Record<string, string> => {
  if (isRecord(value) && Object.values(value).every((each) => typeof each === 'string'))
    return value as Record<string, string>
  throw invalid(`"${key}" of the server '${name}' must be an object of text`)
}

// The text may hold a token, so the message names whose it is instead.
const parseUrl = (text: string, whose: string): URL => {
  try {
    return new URL(text)
  } catch {
    throw invalid(`The URL of '${whose}' cannot be read`)
  }
}

const text120 = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text)

const invalid = (problem: string): GatewayError =>
  new GatewayError(
    'SOURCE_INVALID',
    `${problem}. Give the path of a script, a URL, or { mcpServers: { name: { command, args } or { url } } }.`,
  )
