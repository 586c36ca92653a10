import { ErrorCode, MCPAgentError } from './agent-error.js'
import { EmbeddedServiceAdapter, HTTPServiceAdapter, SSEServiceAdapter } from './mcp-adapters.js'
import type { ServiceConfig } from './settings.js'
import type { AdapterOptions, SourceServiceAdapter } from './source-adapter.js'
import { StdioServiceAdapter } from './stdio-adapter.js'

/** The adapter of a configured service. */
export const createServiceAdapter = (
  name: string,
  config: ServiceConfig,
  options: AdapterOptions = {},
): SourceServiceAdapter => {
  switch (config.type) {
    case 'stdio':
      return new StdioServiceAdapter(name, config.namespace, config, options)
    case 'http':
      return new HTTPServiceAdapter(name, config.namespace, config, options)
    case 'sse':
      return new SSEServiceAdapter(name, config.namespace, config, options)
    case 'embedded':
      return new EmbeddedServiceAdapter(name, config.namespace, config, options)
    default:
      throw new MCPAgentError(
        ErrorCode.CONFIG_VALIDATION_ERROR,
        `Service ${name} has no known type; use stdio, http, sse or embedded`,
      )
  }
}
