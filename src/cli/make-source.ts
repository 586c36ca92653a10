import type { SourceConfig, UsableSource } from '../config/schema.js'
import { createCatalogFileSource } from '../faces/library/catalog-source.js'
import type { Verdict } from '../mcp/client/handshake.js'
import type { Implementation } from '../mcp/meta.js'
import type { Clock } from '../model/clock.js'
import { createEmbeddedSource } from '../sources/embedded/embedded.js'
import { createHttpSource } from '../sources/http/http.js'
import type { LoopGuard } from '../sources/loop-guard.js'
import type { McpSourceOptions } from '../sources/mcp-source-options.js'
import type { SignIns } from '../sources/oauth/sign-ins.js'
import { createOpenApiSource } from '../sources/openapi/openapi.js'
import type { OpenApiOptions } from '../sources/openapi/options.js'
import { createSetAsideSource } from '../sources/set-aside.js'
import type { Source } from '../sources/source.js'
import { createSseSource } from '../sources/sse/sse.js'
import type { StdioHost } from '../sources/stdio/sessions.js'
import { createStdioSource } from '../sources/stdio/stdio.js'
import { type ToolFilter, withFilter } from '../sources/tool-filter.js'
import { createWebSocketSource } from '../sources/websocket/websocket.js'
import type { Logger } from '../telemetry/logger.js'
import { markedLogger } from '../telemetry/marked-logger.js'
import type { SeenSource } from './seen-sources.js'

export interface SourceSurroundings {
  readonly stdio: StdioHost
  readonly clientInfo: Implementation
  readonly clock: Clock
  readonly logger: Logger
  /** Where relative module paths start. */
  readonly folder: string
  /** What an earlier run saw of this source. */
  readonly seen?: SeenSource | undefined
  /** The era in which an earlier run found it. */
  readonly verdict?: Verdict | undefined
  readonly onVerdict?: (verdict: Verdict) => void
  readonly signIns: SignIns
  readonly loop?: LoopGuard | undefined
  /** It is only tried out, so nobody is to sign in for it. */
  readonly apart?: 'apart'
}

/** A source as the configuration describes it. */
export const makeSource = (name: string, config: SourceConfig, surroundings: SourceSurroundings): Source => {
  if (config.type === 'misconfigured')
    return createSetAsideSource({
      kind: config.declaredType,
      reason: config.problems.join(' '),
      clock: surroundings.clock,
    })
  const common = commonOptions(name, config, surroundings)
  switch (config.type) {
    case 'stdio':
      return createStdioSource({ ...common, ...commandOf(config), era: config.era, host: surroundings.stdio })
    case 'http':
      return createHttpSource({ ...common, ...addressed(name, config, surroundings), era: config.era, ...proxied() })
    case 'sse':
      return createSseSource({ ...common, ...addressed(name, config, surroundings), ...proxied() })
    case 'websocket':
      return createWebSocketSource({ ...common, ...addressed(name, config, surroundings), era: config.era })
    case 'embedded':
      return withFilter(
        createEmbeddedSource({ module: config.module, config: config.config as never, baseDir: surroundings.folder }),
        config as ToolFilter,
      )
    case 'catalog':
      return withFilter(createCatalogFileSource({ path: config.path, clock: surroundings.clock }), config as ToolFilter)
    case 'openapi':
      return createOpenApiSource({ ...openApiOptions(config, surroundings), knownTools: surroundings.seen?.tools })
  }
}

/** What an OpenAPI source is made with, also by whoever only wants to know whether its document can be read. */
export const openApiOptions = (
  config: Extract<UsableSource, { type: 'openapi' }>,
  { folder, clock, logger }: Pick<SourceSurroundings, 'folder' | 'clock' | 'logger'>,
): OpenApiOptions => ({
  spec: config.spec,
  folder,
  headers: config.headers,
  excludeTools: config.excludeTools,
  allowPrivate: config.allowPrivate,
  ...(config.auth ? { auth: config.auth } : {}),
  ...(config.includeTags ? { includeTags: config.includeTags } : {}),
  ...(config.excludeTags ? { excludeTags: config.excludeTags } : {}),
  ...(config.includeTools ? { includeTools: config.includeTools } : {}),
  ...(config.baseUrl === undefined ? {} : { baseUrl: config.baseUrl }),
  clock,
  logger: logger.child('openapi-adapter'),
})

/** Where it is, and who signs what is sent there. */
const addressed = (
  name: string,
  { url, headers, auth }: Extract<UsableSource, { type: 'http' | 'sse' | 'websocket' }>,
  { signIns, apart }: SourceSurroundings,
) => {
  const credentials = signIns.credentialsOf({ name, url, headers, auth }, apart)
  return { url, headers, ...(credentials ? { credentials } : {}) }
}

/** Only where a proxy is set: looking for one costs a tenth of a call, each time. */
const proxied = (): { readonly proxy?: 'env' } =>
  ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].some((name) => process.env[name]) ? { proxy: 'env' } : {}

const commandOf = ({ command, args, env, cwd }: Extract<UsableSource, { type: 'stdio' }>) => ({
  command,
  args,
  env,
  ...(cwd === undefined ? {} : { cwd }),
})

const commonOptions = (name: string, config: UsableSource, surroundings: SourceSurroundings): McpSourceOptions => ({
  name,
  clientInfo: surroundings.clientInfo,
  loop: surroundings.loop,
  clock: surroundings.clock,
  logger: markedLogger(surroundings.logger.child(`${config.type}-adapter`), name),
  startOnDemand: config.startOnDemand,
  excludeTools: config.excludeTools,
  ...(surroundings.verdict ? { verdict: surroundings.verdict } : {}),
  ...(surroundings.onVerdict ? { onVerdict: surroundings.onVerdict } : {}),
  ...(config.includeTools ? { includeTools: config.includeTools } : {}),
  ...(config.startTimeoutMs === undefined ? {} : { startTimeoutMs: config.startTimeoutMs }),
  ...(config.healthCheck ? { healthCheck: config.healthCheck } : {}),
  ...(config.idleStopMs === undefined ? {} : { idleStopMs: config.idleStopMs }),
  ...restartOf(config),
  knownTools: surroundings.seen?.tools,
  knownOffer: surroundings.seen?.offer,
})

const restartOf = ({ startTries, afterStartTries }: UsableSource): Pick<McpSourceOptions, 'restart'> =>
  startTries === undefined && afterStartTries === undefined
    ? {}
    : { restart: { ...(startTries ? { startTries } : {}), ...(afterStartTries ? { afterStartTries } : {}) } }
