import { basename, extname } from 'node:path'
import type { ScriptEntry } from '../sources/scripts/script-entry.js'

/** What every entry may say, whatever it mounts. Keys of other clients' files are taken too, and what concerns only them is left out. */
export interface ServerEntryCommon {
  /** The kind, where the other keys do not tell it: `stdio`, `http`, `sse`, `websocket`, `openapi`, `catalog`, `embedded`, `scripts`. */
  readonly type?: string | undefined
  /** The same in the words of other clients. */
  readonly transport?: string | undefined
  /** First part of its tools' ids. Default: the name, made legal. */
  readonly namespace?: string | undefined
  readonly tags?: readonly string[] | undefined
  /** Time for one call. Default: the gateway's. */
  readonly timeoutMs?: number | undefined
  /** Only these of its tools, by their own names; `*` is any text. */
  readonly includeTools?: readonly string[] | undefined
  readonly excludeTools?: readonly string[] | undefined
  /** Time until it has answered for the first time. */
  readonly startTimeoutMs?: number | undefined
  /** Sleeps until one of its tools is called. */
  readonly startOnDemand?: boolean | undefined
  readonly idleStopMs?: number | undefined
  readonly startTries?: number | undefined
  readonly afterStartTries?: 'slow' | 'park' | undefined
  readonly healthCheck?: { readonly interval: number; readonly timeout: number } | undefined
  /** False leaves it out. */
  readonly enabled?: boolean | undefined
  readonly [key: string]: unknown
}

/** A program that speaks MCP over its standard input and output. */
export interface CommandEntry extends ServerEntryCommon {
  readonly command: string
  readonly args?: readonly string[] | undefined
  /** Variables for the program, beside a minimal set. */
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
  /** Whose its process is: everybody's, each caller's or each client session's. Default `shared`. */
  readonly isolation?: 'shared' | 'caller' | 'session' | undefined
  /** With `isolation`: so many at once. Default 8. */
  readonly maxProcesses?: number | undefined
  /** With `isolation`: whether one is started ahead of whoever comes next. Default 1. */
  readonly spare?: number | undefined
  /** Time for npx, uvx and the like to download what they run, which `startTimeoutMs` does not count. Default: 300,000. */
  readonly downloadTimeoutMs?: number | undefined
}

/** An MCP server at an address: Streamable HTTP, HTTP+SSE or WebSocket, told by the address unless `transport` says it. */
export interface AddressEntry extends ServerEntryCommon {
  readonly url: string | URL
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The operations of an OpenAPI document. */
export interface OpenApiEntry extends ServerEntryCommon {
  /** Path or URL of an OpenAPI 3 document. */
  readonly spec: string
  readonly baseUrl?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A file of definitions, listed and not callable. */
export interface CatalogEntry extends ServerEntryCommon {
  readonly path: string
}

/** A module of this process that lists and runs tools itself. */
export interface ModuleEntry extends ServerEntryCommon {
  readonly module: string
  readonly config?: Readonly<Record<string, unknown>> | undefined
}

/** Scripts over the other tools, each a tool itself: see docs/scripts.md. */
export type StoredScriptsEntry = ServerEntryCommon & (ScriptsByName | ScriptsInFolder)

interface ScriptsByName {
  readonly scripts: Readonly<Record<string, ScriptEntry>>
  readonly folder?: string | undefined
}

interface ScriptsInFolder {
  /** Each `*.js` in it is a tool. */
  readonly folder: string
}

/** What can be mounted by describing it, as `mcpServers` of a configuration file does. */
export type ServerEntry = CommandEntry | AddressEntry | OpenApiEntry | CatalogEntry | ModuleEntry | StoredScriptsEntry

/** A name for a server that was given none: its host, its script or its package. */
export const nameFor = (entry: ServerEntry, isTaken: (name: string) => boolean): string => {
  const base = baseName(entry)
  let name = base
  for (let count = 2; isTaken(name); count += 1) name = `${base}-${count}`
  return name
}

const baseName = (entry: Readonly<Record<string, unknown>>): string => {
  const { command, args, url, spec, path, module, folder } = entry
  if (typeof command === 'string') return programName(command, Array.isArray(args) ? args.map(String) : [])
  const place = [url, spec, path, module, folder].find((each) => each !== undefined)
  const text = place === undefined ? '' : String(place)
  return (URL.canParse(text) && new URL(text).hostname) || fileName(text)
}

/** What a runner runs tells more than the runner. */
const programName = (command: string, args: readonly string[]): string => {
  const program = fileName(command)
  if (!/^(?:node|bun|deno|npx|bunx|pnpm|yarn|npm|python[\d.]*|uvx?|pipx|docker|tsx)$/i.test(program)) return program
  const subject = args.find((each) => !each.startsWith('-') && !/^(?:run|exec|dlx|x|tool)$/.test(each))
  return subject === undefined ? program : fileName(subject.replace(/(?<=.)@[^/@]*$/, ''))
}

const fileName = (path: string): string => basename(path, extname(path)) || 'server'
