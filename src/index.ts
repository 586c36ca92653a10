/** The library face: what `import … from 'pegboard'` promises. Each name is here on purpose; see docs/api.md. */
export { exportCatalog, type JsonCatalog } from './catalog/export.js'
export { convertTools, type ProviderFormat, type ProviderTools, providerFormats } from './catalog/provider-tools.js'
export type { IMCPServiceAdapter, ServiceEvent } from './compat/agent/adapter.js'
export { ErrorCode, isMCPAgentError, MCPAgentError } from './compat/agent/agent-error.js'
export { ToolAggregator, type ToolAggregatorOptions } from './compat/agent/aggregator.js'
export { BaseServiceAdapter } from './compat/agent/base-adapter.js'
export { createServiceAdapter } from './compat/agent/create-adapter.js'
export { type AgentLogger, type ChildOf, type LevelLogger, Logger } from './compat/agent/log.js'
export { EmbeddedServiceAdapter, HTTPServiceAdapter, SSEServiceAdapter } from './compat/agent/mcp-adapters.js'
export type {
  CallToolRequest,
  CallToolResult,
  ContentItem,
  JSONSchema,
  ListToolsRequest,
  ListToolsResponse,
  Tool as ServiceTool,
} from './compat/agent/protocol.js'
export { ServiceRegistry, type ServiceRegistryOptions } from './compat/agent/registry.js'
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
} from './compat/agent/settings.js'
export type { AdapterOptions } from './compat/agent/source-adapter.js'
export { StdioServiceAdapter } from './compat/agent/stdio-adapter.js'
export {
  DataFormatter,
  fromSchemaToKwargsFormat,
  fromSchemaToKwargsFormat as from_schema_to_kwargs_format,
  type SanitizeOptions,
  sanitize,
} from './compat/data-formatter.js'
export {
  MCPRegistry,
  type MCPRegistryOptions,
  type RegistryTool,
  type ToolDescription,
} from './compat/mcp-registry.js'
export type { McpServerConfig, McpTransport } from './compat/mcp-transport.js'
export {
  type McpAdapters,
  mcpAdapters,
  RemoteMCPAdapter,
  type RemoteMCPAdapterOptions,
} from './compat/remote-adapter.js'
export {
  type CallTape,
  type RecordedCall,
  type Replayed,
  type ReplayOptions,
  recordCalls,
  replayCalls,
} from './compat/replay.js'
export { type Observation, type PlanOutcome, type PlanStep, runPlan } from './compat/run-plan.js'
export { RuntimeError } from './compat/runtime-error.js'
export { asyncify, autoOptionsFunc, FunctionShifter, syncify } from './compat/shift.js'
export type { ParamOption, ToolFuncOptions } from './compat/tool-func.js'
export {
  isExecutionErrorResult,
  type ToolInfo,
  ToolManager,
  type ToolManagerOptions,
  type ToolRegistration,
} from './compat/tool-manager.js'
export type { ToolMetadata } from './compat/tool-metadata.js'
export {
  ToolRegistry,
  type ToolRegistryOptions,
  type ToolSearchResult,
} from './compat/tool-registry.js'
export {
  createToolStorage as create_storage,
  type OpenedStorage,
  type ToolStorage,
} from './compat/tool-storage.js'
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
} from './serving/embedded/create-server.js'
export { loadConfig } from './serving/embedded/load-config.js'
export type {
  ServedProfile,
  ServeHttpOptions,
  ServeOptions,
  ServeStdioOptions,
  XiaozhiLinkOptions,
} from './serving/embedded/options.js'
export { type Served, serve } from './serving/embedded/serve.js'
export { createCatalogFileSource } from './serving/sources/catalog-source.js'
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
