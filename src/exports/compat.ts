/** `pegboard/compat`: the interfaces of the programs that this one grew out of, each over a gateway. See docs/api.md. */
export type { IMCPServiceAdapter, ServiceEvent } from '../compat/agent/adapter.js'
export { ErrorCode, isMCPAgentError, MCPAgentError } from '../compat/agent/agent-error.js'
export { ToolAggregator, type ToolAggregatorOptions } from '../compat/agent/aggregator.js'
export { BaseServiceAdapter } from '../compat/agent/base-adapter.js'
export { createServiceAdapter } from '../compat/agent/create-adapter.js'
export { type AgentLogger, type ChildOf, type LevelLogger, Logger } from '../compat/agent/log.js'
export { EmbeddedServiceAdapter, HTTPServiceAdapter, SSEServiceAdapter } from '../compat/agent/mcp-adapters.js'
export type {
  CallToolRequest,
  CallToolResult,
  ContentItem,
  JSONSchema,
  ListToolsRequest,
  ListToolsResponse,
  Tool as ServiceTool,
} from '../compat/agent/protocol.js'
export { ServiceRegistry, type ServiceRegistryOptions } from '../compat/agent/registry.js'
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
} from '../compat/agent/settings.js'
export type { AdapterOptions, OpenedSource, SourceServiceAdapter } from '../compat/agent/source-adapter.js'
export { StdioServiceAdapter } from '../compat/agent/stdio-adapter.js'
export {
  DataFormatter,
  fromSchemaToKwargsFormat,
  fromSchemaToKwargsFormat as from_schema_to_kwargs_format,
  type SanitizeOptions,
  sanitize,
} from '../compat/data-formatter.js'
export type { Shared as SharedThing, SharedUse as HeldThing } from '../compat/held.js'
export {
  MCPRegistry,
  type MCPRegistryOptions,
  type RegistryTool,
  type ToolDescription,
} from '../compat/mcp-registry.js'
export type { McpServersOptions } from '../compat/mcp-servers.js'
export type { McpServerConfig, McpTransport } from '../compat/mcp-transport.js'
export {
  type McpAdapters,
  mcpAdapters,
  RemoteMCPAdapter,
  type RemoteMCPAdapterOptions,
} from '../compat/remote-adapter.js'
export { type Observation, type PlanOptions, type PlanOutcome, type PlanStep, runPlan } from '../compat/run-plan.js'
export { RuntimeError } from '../compat/runtime-error.js'
export { asyncify, autoOptionsFunc, FunctionShifter, type SyncifyOptions, syncify } from '../compat/shift.js'
export type { ParamOption, ToolFuncOptions } from '../compat/tool-func.js'
export {
  type AnyFunction as ToolFunction,
  isExecutionErrorResult,
  type Shift as ToolShift,
  type Tags as ToolTags,
  type ToolInfo,
  ToolManager,
  type ToolManagerOptions,
  type ToolRegistration,
} from '../compat/tool-manager.js'
export type { ToolMetadata } from '../compat/tool-metadata.js'
export { ToolRegistry, type ToolRegistryOptions, type ToolSearchResult } from '../compat/tool-registry.js'
export { createToolStorage as create_storage, type OpenedStorage, type ToolStorage } from '../compat/tool-storage.js'
export { mcpAgentConfigSchema, type ValidatedConfig } from '../config/agent-schema.js'
export { KeyError, PermissionDenied, ValueError } from '../errors.js'
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
} from '../serving/embedded/create-server.js'
