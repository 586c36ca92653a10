import type { Verdict } from '../mcp/client/handshake.js'
import type { Credentials } from '../mcp/client/signed-transport.js'
import type { Implementation } from '../mcp/message.js'
import type { Clock } from '../model/clock.js'
import type { JsonObject } from '../model/json.js'
import type { ToolSpec } from '../model/tool.js'
import type { Logger } from '../telemetry/logger.js'
import type { SignedByCaller } from './caller-signing.js'
import { CallerSource } from './caller-source.js'
import { type CatalogFileOptions, createCatalogFileSource } from './catalog-file/catalog-file.js'
import { createEmbeddedSource } from './embedded/embedded.js'
import { createHttpSource, type HttpSourceOptions } from './http/http.js'
import type { LoopGuard } from './loop-guard.js'
import type { McpSource } from './mcp-source.js'
import type { McpSourceOptions } from './mcp-source-options.js'
import { type CallerAuth, isCallerAuth, type SourceAuth } from './oauth/options.js'
import type { SignInSource } from './oauth/sign-ins.js'
import { createOpenApiSource } from './openapi/openapi.js'
import type { OpenApiOptions } from './openapi/options.js'
import type { OpenScripts, ScriptsEntry } from './scripts/script-entry.js'
import { createScriptsSource } from './scripts/scripts.js'
import { createSetAsideSource } from './set-aside.js'
import { callersAt, type SigningSurroundings, signingAt } from './signing-at.js'
import type { Source } from './source.js'
import { createSseSource } from './sse/sse.js'
import type { ChildCommand } from './stdio/command.js'
import type { Isolate } from './stdio/isolated/isolated-source.js'
import type { IsolationEntry } from './stdio/isolated/isolation.js'
import type { StdioHost } from './stdio/sessions.js'
import { createStdioSource } from './stdio/stdio.js'
import type { SurfaceOffer } from './surface.js'
import { type ToolFilter, withFilter } from './tool-filter.js'
import { createWebSocketSource } from './websocket/websocket.js'

/** What an entry says about how its source is started, watched and filtered. */
export interface LifecycleEntry
  extends ToolFilter,
    Pick<McpSourceOptions, 'startTimeoutMs' | 'healthCheck' | 'startOnDemand' | 'idleStopMs' | 'restart'> {
  /** Shorter for `restart.startTries` and `restart.afterStartTries`, which they win over. */
  readonly startTries?: number | undefined
  readonly afterStartTries?: 'slow' | 'park' | undefined
}

interface AddressedEntry extends LifecycleEntry {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly auth?: SourceAuth | undefined
  /** Tells the server who calls, by a token of ours. Default: false. */
  readonly assert?: boolean | undefined
}

type Era = Pick<McpSourceOptions, 'era'>

/** What each kind of source is described by. A new kind is one more member here and one more maker below. */
export interface SourceEntries {
  readonly stdio: LifecycleEntry & Era & Omit<ChildCommand, 'source' | 'apart'> & IsolationEntry
  readonly http: AddressedEntry & Era
  readonly sse: AddressedEntry
  readonly websocket: AddressedEntry & Era
  readonly openapi: Omit<
    OpenApiOptions,
    'folder' | 'timeoutMs' | 'clock' | 'logger' | 'knownTools' | 'auth' | 'signing'
  > & {
    readonly auth?: OpenApiOptions['auth'] | CallerAuth | undefined
    readonly assert?: boolean | undefined
  }
  readonly catalog: ToolFilter & { readonly path: string }
  readonly embedded: ToolFilter & { readonly module: string | object; readonly config?: object | undefined }
  readonly scripts: ToolFilter & ScriptsEntry
  /** One that cannot be made as it is written: it holds its place and says why. */
  readonly misconfigured: {
    readonly declaredType: string
    readonly problems: readonly string[]
    readonly isPending?: boolean | undefined
  }
}

export type SourceKind = keyof SourceEntries
export type SourceEntry = { [Kind in SourceKind]: SourceEntries[Kind] & { readonly type: Kind } }[SourceKind]

/** What sources are made with, whoever makes them. */
export interface SourceSurroundings extends SigningSurroundings {
  /** The child processes of this gateway; asked for with the first stdio source. */
  readonly stdio: () => StdioHost
  readonly clientInfo: Implementation
  readonly clock: Clock
  readonly logger: Logger
  /** Where relative paths start. */
  readonly folder: string
  /** `env` reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY; a URL names one. Default: no proxy. */
  readonly proxy?: string | undefined
  /** Who signs requests to a source with an address. Default: nobody, its own headers apart. */
  readonly credentialsOf?: ((source: SignInSource) => Credentials | undefined) | undefined
  readonly loop?: LoopGuard | undefined
  /** What runs scripts over the tools of the board; asked for with the first call of one. Default: nothing does. */
  readonly scripts?: OpenScripts | undefined
  /** Reads a catalog that is a database. */
  readonly readDatabase?: CatalogFileOptions['readDatabase'] | undefined
  /** What an earlier run saw of this source. */
  readonly seen?: { readonly tools: readonly ToolSpec[]; readonly offer: SurfaceOffer | undefined } | undefined
  /** The era in which an earlier run found it. */
  readonly verdict?: Verdict | undefined
  readonly onVerdict?: ((verdict: Verdict) => void) | undefined
  /** What makes a source with a process for each who uses it, where one is wanted. */
  readonly isolate?: Isolate | undefined
  /** Ends child processes that this source shares with no other. */
  readonly dispose?: (() => Promise<void>) | undefined
}

type Maker<Kind extends SourceKind> = (
  name: string,
  entry: SourceEntries[Kind],
  surroundings: SourceSurroundings,
) => Source

/** The one table from an entry to a source, for configuration files, programs and the compatible interfaces alike. */
const makers: { readonly [Kind in SourceKind]: Maker<Kind> } = {
  stdio: (name, entry, around) =>
    createStdioSource({
      ...supervision(name, 'stdio', entry, around),
      command: entry.command,
      args: entry.args,
      env: entry.env,
      cwd: entry.cwd,
      limits: entry.limits,
      sandbox: entry.sandbox,
      isolation: entry.isolation,
      maxProcesses: entry.maxProcesses,
      spare: entry.spare,
      downloadTimeoutMs: entry.downloadTimeoutMs,
      isolate: around.isolate,
      era: entry.era,
      host: around.stdio(),
      dispose: around.dispose,
    }),
  http: (name, entry, around) =>
    addressed(name, entry, around, (address) =>
      createHttpSource({
        ...supervision(name, 'http', entry, around),
        ...address,
        era: entry.era,
        proxy: around.proxy,
      }),
    ),
  sse: (name, entry, around) =>
    addressed(name, entry, around, (address) =>
      createSseSource({
        ...supervision(name, 'sse', entry, around),
        ...address,
        proxy: around.proxy,
      }),
    ),
  websocket: (name, entry, around) =>
    addressed(name, entry, around, (address) =>
      createWebSocketSource({
        ...supervision(name, 'websocket', entry, around),
        ...address,
        era: entry.era,
      }),
    ),
  openapi: (name, entry, around) =>
    createOpenApiSource(
      {
        spec: entry.spec,
        baseUrl: entry.baseUrl,
        headers: entry.headers,
        auth: isCallerAuth(entry.auth) ? undefined : entry.auth,
        includeTags: entry.includeTags,
        excludeTags: entry.excludeTags,
        includeTools: entry.includeTools,
        excludeTools: entry.excludeTools,
        allowPrivate: entry.allowPrivate,
        maxResponseBytes: entry.maxResponseBytes,
        pollMs: entry.pollMs,
        folder: around.folder,
        knownTools: around.seen?.tools,
        clock: around.clock,
        logger: around.logger.child('openapi-adapter'),
      },
      openApiSigning(name, entry, around),
    ),
  catalog: (_name, entry, { clock, readDatabase }) =>
    withFilter(createCatalogFileSource({ path: entry.path, clock, readDatabase }), entry),
  embedded: (_name, entry, { folder }) =>
    withFilter(
      createEmbeddedSource({ module: entry.module, config: entry.config as JsonObject | undefined, baseDir: folder }),
      entry,
    ),
  scripts: (_name, entry, { folder: base, clock, logger, scripts: open }) =>
    createScriptsSource({ ...entry, base, clock, logger: logger.child('scripts-adapter'), open }),
  misconfigured: (_name, { declaredType, problems, isPending }, { clock }) =>
    createSetAsideSource({
      kind: declaredType,
      reason: problems.join(' '),
      state: isPending ? 'pending' : undefined,
      clock,
    }),
}

/** A source as an entry describes it, checked already; nothing is started yet. */
export const makeSource = (name: string, entry: SourceEntry, surroundings: SourceSurroundings): Source => {
  const make = makers[entry.type] as Maker<SourceKind>
  return make(name, entry, surroundings)
}

/** Where it is, who signs what is sent there, and in whose name. */
const addressed = (
  name: string,
  entry: AddressedEntry,
  around: SourceSurroundings,
  create: (address: Address) => McpSource,
): McpSource => {
  const { url, headers = {}, auth } = entry
  const personal = isCallerAuth(auth) ? callersAt(name, url, auth, around) : undefined
  const credentials = personal?.own ?? around.credentialsOf?.({ name, url, headers, auth })
  const signing = signingAt(name, url, { ...entry, headers }, personal, credentials, around)
  const source = create({ url, headers, credentials, signing })
  return signing && personal ? new CallerSource(source, signing, personal) : source
}

/** The same for an API, which is where its operator says or its document lies. */
const openApiSigning = (
  name: string,
  { spec, baseUrl = spec, headers = {}, auth, assert }: SourceEntries['openapi'],
  around: SourceSurroundings,
): SignedByCaller | undefined => {
  const personal = isCallerAuth(auth) ? callersAt(name, baseUrl, auth, around) : undefined
  return signingAt(name, baseUrl, { headers, assert }, personal, undefined, around)
}

type Address = Pick<HttpSourceOptions, 'url' | 'headers' | 'credentials' | 'signing'>

const supervision = (
  name: string,
  kind: SourceKind,
  entry: LifecycleEntry,
  { clientInfo, loop, clock, logger, verdict, onVerdict, seen }: SourceSurroundings,
): McpSourceOptions => ({
  name,
  clientInfo,
  loop,
  clock,
  logger: logger.child(`${kind}-adapter`),
  verdict,
  onVerdict,
  knownTools: seen?.tools,
  knownOffer: seen?.offer,
  startOnDemand: entry.startOnDemand,
  startTimeoutMs: entry.startTimeoutMs,
  healthCheck: entry.healthCheck,
  idleStopMs: entry.idleStopMs,
  includeTools: entry.includeTools,
  excludeTools: entry.excludeTools,
  restart: restartOf(entry),
})

const restartOf = ({ restart, startTries, afterStartTries }: LifecycleEntry): McpSourceOptions['restart'] => ({
  ...restart,
  startTries: startTries ?? restart?.startTries,
  afterStartTries: afterStartTries ?? restart?.afterStartTries,
})

/** How sources are reached by what the variables say. Only where a proxy is set: looking for one costs a call a tenth, each time. */
export const proxyIn = (env: Readonly<Record<string, string | undefined>>): 'env' | undefined =>
  ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].some((name) => env[name]) ? 'env' : undefined
