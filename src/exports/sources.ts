/** `pegboard/sources`: where tools come from, each to be mounted by `gateway.addSource(name, source)`. See docs/api.md. */
export { createCatalogFileSource } from '../library/catalog-source.js'
export {
  createHttpSource,
  createOpenApiSource,
  createScriptsSource,
  createSseSource,
  createStdioSource,
  createWebSocketSource,
  type ScriptsSourceOptions,
  type SourceExtras,
  type SourceOptionsOf,
  type SupervisedSource,
} from '../library/sources.js'
export { createEmbeddedSource, type EmbeddedOptions, type EmbeddedService } from '../sources/embedded/embedded.js'
export type { ToolHandler } from '../sources/functions/define-tool.js'
export {
  createFunctionsSource,
  type FunctionsOptions,
  type FunctionsSource,
  type OnConflict,
} from '../sources/functions/functions.js'
export type { StandardIssue, StandardResult } from '../sources/functions/standard-schema.js'
export type {
  AnySchema,
  ArgsOf,
  FromSchema,
  PassedArgs,
  ToolResultOf,
  ToolsByName,
  ToolTypes,
} from '../sources/functions/tool-types.js'
export type { LoopGuard } from '../sources/loop-guard.js'
export type { LifecycleEntry, SourceEntries, SourceEntry, SourceKind } from '../sources/make-source.js'
export type { McpSourceOptions } from '../sources/mcp-source-options.js'
export type {
  CallerAuth,
  ClientCredentialsAuth,
  ExchangeAuth,
  GatewayKey,
  ListAs,
  OAuthSignIn,
  PastedKeyAuth,
  PersonalOAuth,
  PrivateKeyJwtAuth,
  SourceAuth,
} from '../sources/oauth/options.js'
export type { OpenApiAuth, OpenApiOptions } from '../sources/openapi/options.js'
export type { RestartOptions } from '../sources/restart-policy.js'
export type { ScriptEntry, ScriptFacts, ScriptsEntry } from '../sources/scripts/script-entry.js'
export type { CarriedCall, Source, SourceCall, SourceRequest, SourceUpdate, ToolProblem } from '../sources/source.js'
export type { ProcessCount, SourcePeer, SourceState, SourceStatus, Supervised } from '../sources/status.js'
export type { ChildCommand } from '../sources/stdio/command.js'
export type { Isolation, IsolationBounds, IsolationEntry } from '../sources/stdio/isolated/isolation.js'
export type {
  GuardedLimit,
  GuardReport,
  Guards,
  LimitName,
  ResourceLimits,
  Sandbox,
  SandboxKind,
  SandboxMount,
  SandboxNetwork,
  SandboxOptions,
} from '../sources/stdio/leash/guards.js'
export type { StdioHost } from '../sources/stdio/sessions.js'
export type { McpSurface, SurfaceKind, SurfaceOffer } from '../sources/surface.js'
export { type ToolFilter, withFilter } from '../sources/tool-filter.js'
