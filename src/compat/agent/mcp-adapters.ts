import { systemClock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import { createEmbeddedSource } from '../../sources/embedded/embedded.js'
import { createHttpSource } from '../../sources/http/http.js'
import type { McpSourceOptions } from '../../sources/mcp-source-options.js'
import { createSseSource } from '../../sources/sse/sse.js'
import type { Logger } from '../../telemetry/logger.js'
import { clientInfo } from '../client-info.js'
import type { AdapterConfig, EmbeddedServiceConfig, HTTPServiceConfig, SSEServiceConfig } from './settings.js'
import { type AdapterOptions, type OpenedSource, SourceServiceAdapter } from './source-adapter.js'

/** A service over Streamable HTTP, of either protocol era. */
export class HTTPServiceAdapter extends SourceServiceAdapter {
  readonly #config: AdapterConfig<HTTPServiceConfig>

  constructor(name: string, namespace: string, config: AdapterConfig<HTTPServiceConfig>, options: AdapterOptions = {}) {
    super(name, namespace, 'http', config, options)
    this.#config = config
  }

  protected override openSource(): OpenedSource {
    const { url, headers = {}, healthCheck } = this.#config
    const common = mcpOptions(this.name, this.logger.child('http-adapter'), this.options, healthCheck?.timeout)
    return { source: createHttpSource({ ...common, url, headers, proxy: 'env' }) }
  }
}

/** A service over the HTTP+SSE transport of 2024. */
export class SSEServiceAdapter extends SourceServiceAdapter {
  readonly #config: AdapterConfig<SSEServiceConfig>

  constructor(name: string, namespace: string, config: AdapterConfig<SSEServiceConfig>, options: AdapterOptions = {}) {
    super(name, namespace, 'sse', config, options)
    this.#config = config
  }

  protected override openSource(): OpenedSource {
    const { url, headers = {}, healthCheck } = this.#config
    const common = mcpOptions(this.name, this.logger.child('sse-adapter'), this.options, healthCheck?.timeout)
    return { source: createSseSource({ ...common, url, headers, proxy: 'env' }) }
  }
}

/** A module in this process that lists and runs tools itself. */
export class EmbeddedServiceAdapter extends SourceServiceAdapter {
  readonly #config: AdapterConfig<EmbeddedServiceConfig>

  constructor(
    name: string,
    namespace: string,
    config: AdapterConfig<EmbeddedServiceConfig>,
    options: AdapterOptions = {},
  ) {
    super(name, namespace, 'embedded', config, options)
    this.#config = config
  }

  protected override openSource(): OpenedSource {
    const { module, config } = this.#config
    return { source: createEmbeddedSource({ module, config: config as JsonObject | undefined }) }
  }
}

// The registry asks (001-09), the supervisor judges: its own timer would ask everything twice.
const neverMs = 2 ** 31 - 1

/** What a supervised source of an adapter is made with. */
export const mcpOptions = (
  name: string,
  logger: Logger,
  { clock = systemClock, startTimeoutMs, restart }: AdapterOptions,
  healthTimeoutMs = 5000,
): McpSourceOptions => ({
  name,
  clientInfo,
  clock,
  logger,
  healthCheck: { interval: neverMs, timeout: healthTimeoutMs },
  restart: { ...restart, afterStartTries: restart?.afterStartTries ?? 'park' },
  startTimeoutMs,
})
