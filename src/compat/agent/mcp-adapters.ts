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
    const { url, headers } = this.#config
    return { source: this.makeSource({ type: 'http', url, headers }) }
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
    const { url, headers } = this.#config
    return { source: this.makeSource({ type: 'sse', url, headers }) }
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
    return { source: this.makeSource({ type: 'embedded', module, config }) }
  }
}
