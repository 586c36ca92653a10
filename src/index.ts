/** The library face: what `import … from 'pegboard'` promises. Each name is here on purpose; see docs/api.md. */
export { exportCatalog, type JsonCatalog } from './catalog/export.js'
export { type ProviderFormat, type ProviderTools, providerFormats } from './catalog/provider-tools.js'
export {
  type ErrorCode,
  errorCodes,
  errorNumbers,
  GatewayError,
  isGatewayError,
  KeyError,
  PermissionDenied,
  ValueError,
} from './errors.js'
export {
  MCPRegistry,
  type MCPRegistryOptions,
  type RegistryTool,
  type ToolDescription,
} from './faces/library/mcp-registry.js'
export { type Observation, type PlanOutcome, type PlanStep, runPlan } from './faces/library/run-plan.js'
export { asyncify, autoOptionsFunc, FunctionShifter, syncify } from './faces/library/shift.js'
export type { ParamOption, ToolFuncOptions } from './faces/library/tool-func.js'
export {
  isExecutionErrorResult,
  type ToolInfo,
  ToolManager,
  type ToolManagerOptions,
  type ToolRegistration,
} from './faces/library/tool-manager.js'
export {
  createGateway,
  type Gateway,
  type GatewayOptions,
  type SourceInfo,
  type SourceOptions,
} from './gateway.js'
export { toText, toToolResult, toValue } from './model/answer.js'
export type { Call, Progress, ValidationMode } from './model/call.js'
export { type Caller, localCaller, type Right } from './model/caller.js'
export { type Clock, systemClock } from './model/clock.js'
export type { JsonObject, JsonValue } from './model/json.js'
export type { Outcome, OutcomeMeta } from './model/outcome.js'
export type { Answer, ContentBlock, ToolResult } from './model/result.js'
export type { Tool, ToolAnnotations, ToolDefinition, ToolSpec, ToolTraits } from './model/tool.js'
export { type CatalogFileOptions, createCatalogFileSource } from './sources/catalog-file/catalog-file.js'
export { createEmbeddedSource, type EmbeddedOptions, type EmbeddedService } from './sources/embedded/embedded.js'
export { exampleTools } from './sources/examples/example-tools.js'
export { defineTool, type FunctionTool, type ToolContext, type ToolOptions } from './sources/functions/define-tool.js'
export type { StandardSchema } from './sources/functions/standard-schema.js'
export type { Source, SourceCall, SourceUpdate, ToolProblem } from './sources/source.js'
export type { SourceState, SourceStatus, Supervised } from './sources/status.js'
export { openStore, type StoreBackend, type StoreOptions } from './storage/open.js'
export type { Store, StoredTool, StoreProblem, Temperature } from './storage/store.js'
export type { CallListener, CallRecord, CallStats } from './telemetry/calls.js'
export type { Logger, LogLevel } from './telemetry/logger.js'
