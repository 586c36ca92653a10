import { type Clock, systemClock } from '../model/clock.js'
import { ownImplementation } from '../model/version.js'
import { makeSource, proxyIn, type SourceEntries, type SourceKind } from '../sources/make-source.js'
import { createScriptsSource as createStored } from '../sources/scripts/scripts.js'
import type { Source } from '../sources/source.js'
import type { Supervised } from '../sources/status.js'
import { createIsolatedSource } from '../sources/stdio/isolated/isolated-source.js'
import { createStdioHost } from '../sources/stdio/sessions.js'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import { type GatewayScripts, storedBy } from './scripts.js'

/** What a source of a program's own may be told besides what it is. */
export interface SourceExtras {
  /** How it is called in its log lines. Default: its kind. */
  readonly name?: string | undefined
  readonly clock?: Clock | undefined
  readonly logger?: Logger | undefined
  /** Where relative paths start. Default: the working directory. */
  readonly folder?: string | undefined
}

/** How a source of one kind is described by code: the entry of a configuration file, every value as it is. */
export type SourceOptionsOf<Kind extends SourceKind> = SourceEntries[Kind] & SourceExtras

/** A source that starts, fails, is tried again and can be told to. */
export type SupervisedSource = Source & Supervised

/** An MCP server that is run here and spoken to over its standard input and output. Its process ends with the source. */
export const createStdioSource = (options: SourceOptionsOf<'stdio'>): SupervisedSource => {
  const { clock = systemClock, logger = silentLogger } = options
  const host = createStdioHost({ clock, logger, hostEnv: process.env })
  return made('stdio', options, { stdio: () => host, dispose: () => host.close() }) as SupervisedSource
}

/** An MCP server over Streamable HTTP, of either protocol era. */
export const createHttpSource = (options: SourceOptionsOf<'http'>): SupervisedSource =>
  made('http', options) as SupervisedSource

/** An MCP server over the HTTP+SSE transport of 2024. */
export const createSseSource = (options: SourceOptionsOf<'sse'>): SupervisedSource =>
  made('sse', options) as SupervisedSource

/** An MCP server over WebSocket. */
export const createWebSocketSource = (options: SourceOptionsOf<'websocket'>): SupervisedSource =>
  made('websocket', options) as SupervisedSource

/** The operations of an OpenAPI document as tools. */
export const createOpenApiSource = (options: SourceOptionsOf<'openapi'>): SupervisedSource =>
  made('openapi', options) as SupervisedSource

/**
 * Scripts over the tools of a gateway, each a tool itself. `scripts` is `createScripts(gateway)`, which ends when you close it;
 * relative paths start at `base`, by default the working directory.
 */
export const createScriptsSource = (
  scripts: GatewayScripts,
  { clock = systemClock, logger = silentLogger, base = process.cwd(), ...options }: ScriptsSourceOptions,
): SupervisedSource => {
  const runner = storedBy(scripts)
  return createStored({ ...options, base, clock, logger, open: async () => runner })
}

export type ScriptsSourceOptions = SourceEntries['scripts'] &
  Omit<SourceExtras, 'folder'> & { readonly base?: string | undefined }

const noProcesses = (): never => {
  throw new TypeError('Only a stdio source has processes.')
}

const made = <Kind extends Exclude<SourceKind, 'misconfigured' | 'catalog' | 'scripts'>>(
  kind: Kind,
  options: SourceOptionsOf<Kind>,
  more: Pick<Parameters<typeof makeSource>[2], 'stdio' | 'dispose'> = { stdio: noProcesses },
): Source => {
  const { name = kind, clock = systemClock, logger = silentLogger, folder = process.cwd() } = options as SourceExtras
  return makeSource(name, { ...options, type: kind } as Parameters<typeof makeSource>[1], {
    ...more,
    isolate: createIsolatedSource,
    clientInfo: ownImplementation(),
    clock,
    logger,
    folder,
    proxy: proxyIn(process.env),
  })
}
