/** The library face: what `import … from 'pegboard'` promises. Each name is here on purpose; see docs/api.md. */
export { exportCatalog, type JsonCatalog } from './catalog/export.js'
export { convertTools, type ProviderFormat, type ProviderTools, providerFormats } from './catalog/provider-tools.js'
export { mcpAgentConfigSchema, type ValidatedConfig } from './config/agent-schema.js'
export type { LoadedConfig, LoadOptions } from './config/load.js'
export type { Config } from './config/schema.js'
export {
  type ErrorCode as GatewayErrorCode,
  errorCodes,
  errorNumbers,
  GatewayError,
  isGatewayError,
  KeyError,
  PermissionDenied,
  ValueError,
} from './errors.js'
export type { IMCPServiceAdapter, ServiceEvent } from './faces/library/agent/adapter.js'
export { ErrorCode, isMCPAgentError, MCPAgentError } from './faces/library/agent/agent-error.js'
export { ToolAggregator, type ToolAggregatorOptions } from './faces/library/agent/aggregator.js'
export { BaseServiceAdapter } from './faces/library/agent/base-adapter.js'
export { createServiceAdapter } from './faces/library/agent/create-adapter.js'
export { type AgentLogger, type ChildOf, type LevelLogger, Logger } from './faces/library/agent/log.js'
export { EmbeddedServiceAdapter, HTTPServiceAdapter, SSEServiceAdapter } from './faces/library/agent/mcp-adapters.js'
export type {
  CallToolRequest,
  CallToolResult,
  ContentItem,
  JSONSchema,
  ListToolsRequest,
  ListToolsResponse,
  Tool as ServiceTool,
} from './faces/library/agent/protocol.js'
export { ServiceRegistry, type ServiceRegistryOptions } from './faces/library/agent/registry.js'
export type {
  AdapterConfig,
  BaseServiceConfig,
  EmbeddedServiceConfig,
  HealthCheckConfig,
  HTTPServiceConfig,
  LoggingConfig,
  MCPAgentConfig,
  ReconnectConfig,
  ServiceConfig,
  ServiceStatus,
  ServiceType,
  SSEServiceConfig,
  StdioServiceConfig,
  ToolManagerConfig,
  XiaozhiConfig,
} from './faces/library/agent/settings.js'
export type { AdapterOptions } from './faces/library/agent/source-adapter.js'
export { StdioServiceAdapter } from './faces/library/agent/stdio-adapter.js'
export { createCatalogFileSource } from './faces/library/catalog-source.js'
export {
  DataFormatter,
  fromSchemaToKwargsFormat,
  fromSchemaToKwargsFormat as from_schema_to_kwargs_format,
  type SanitizeOptions,
  sanitize,
} from './faces/library/data-formatter.js'
export {
  MCPRegistry,
  type MCPRegistryOptions,
  type RegistryTool,
  type ToolDescription,
} from './faces/library/mcp-registry.js'
export type { McpServerConfig, McpTransport } from './faces/library/mcp-transport.js'
export {
  type McpAdapters,
  mcpAdapters,
  RemoteMCPAdapter,
  type RemoteMCPAdapterOptions,
} from './faces/library/remote-adapter.js'
export {
  type CallTape,
  type RecordedCall,
  type Replayed,
  type ReplayOptions,
  recordCalls,
  replayCalls,
} from './faces/library/replay.js'
export { type Observation, type PlanOutcome, type PlanStep, runPlan } from './faces/library/run-plan.js'
export { RuntimeError } from './faces/library/runtime-error.js'
export { asyncify, autoOptionsFunc, FunctionShifter, syncify } from './faces/library/shift.js'
export type { ParamOption, ToolFuncOptions } from './faces/library/tool-func.js'
export {
  isExecutionErrorResult,
  type ToolInfo,
  ToolManager,
  type ToolManagerOptions,
  type ToolRegistration,
} from './faces/library/tool-manager.js'
export type { ToolMetadata } from './faces/library/tool-metadata.js'
export {
  ToolRegistry,
  type ToolRegistryOptions,
  type ToolSearchResult,
} from './faces/library/tool-registry.js'
export {
  createToolStorage as create_storage,
  type OpenedStorage,
  type ToolStorage,
} from './faces/library/tool-storage.js'
export {
  createGateway,
  type Gateway,
  type GatewayOptions,
  type SourceInfo,
  type SourceOptions,
} from './gateway.js'
export type { Authenticate, AuthResult } from './http/auth.js'
export { toText, toToolResult, toValue } from './model/answer.js'
export type { Call, Progress, ValidationMode } from './model/call.js'
export { type Caller, localCaller, type Right } from './model/caller.js'
export { type Clock, systemClock } from './model/clock.js'
export type { JsonObject, JsonValue } from './model/json.js'
export type { Outcome, OutcomeMeta } from './model/outcome.js'
export type { Answer, ContentBlock, ToolResult } from './model/result.js'
export type { Tool, ToolAnnotations, ToolDefinition, ToolSpec, ToolTraits } from './model/tool.js'
export { toFunctionParameters } from './schema/projections/function-parameters.js'
export type { AlgorithmHit, SearchAlgorithm } from './search/algorithm.js'
export type { SearchOptions } from './search/search.js'
export type { SearchMethod, SearchOutcome, SearchQueryOptions, SearchResult } from './search/tool-search.js'
export {
  createServer,
  createServer as create_server,
  createServerWithSqlite,
  createServerWithSqlite as create_server_with_sqlite,
  createStorage,
  getDefaultStorageBackend,
  getDefaultStorageBackend as get_default_storage_backend,
  type RegistryServer,
  type RunOptions,
  type ServerOptions,
  StorageBackend,
} from './serve/create-server.js'
export { loadConfig } from './serve/load-config.js'
export type {
  ServedProfile,
  ServeHttpOptions,
  ServeOptions,
  ServeStdioOptions,
  XiaozhiLinkOptions,
} from './serve/options.js'
export { type Served, serve } from './serve/serve.js'
export type { CatalogFileOptions } from './sources/catalog-file/catalog-file.js'
export { createEmbeddedSource, type EmbeddedOptions, type EmbeddedService } from './sources/embedded/embedded.js'
export { exampleTools } from './sources/examples/example-tools.js'
export { defineTool, type FunctionTool, type ToolContext, type ToolOptions } from './sources/functions/define-tool.js'
export type { StandardSchema } from './sources/functions/standard-schema.js'
export type { Source, SourceCall, SourceUpdate, ToolProblem } from './sources/source.js'
export type { SourceState, SourceStatus, Supervised } from './sources/status.js'
export { openStore, type StoreBackend, type StoreOptions } from './storage/open.js'
export type {
  DocumentSet,
  Store,
  StoredDocument,
  StoredTool,
  StoreProblem,
  Temperature,
  ToolSelection,
  ToolUses,
} from './storage/store.js'
export type { CallListener, CallRecord, CallStats } from './telemetry/calls.js'
export type { Logger as GatewayLogger, LogLevel } from './telemetry/logger.js'
