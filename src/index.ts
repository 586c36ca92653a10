/** The library face: what `import … from 'pegboard'` promises. Each name is here on purpose; see docs/api.md. */
export type { Catalog, CatalogChange, Mount as CatalogMount } from './catalog/catalog.js'
export { exportCatalog, type JsonCatalog } from './catalog/export.js'
export type { CollisionPolicy, NameCollision, NameIndex, NameStyle, Naming } from './catalog/names.js'
export type { OverrideProblem } from './catalog/narrow.js'
export type { Located, Offered, Offers } from './catalog/offers/offers.js'
export type { OfferReview, Reviewed, ReviewedKind, ReviewedOffer } from './catalog/offers/review-offer.js'
export type { MountedSurface, SurfaceListener, Surfaces } from './catalog/offers/surfaces.js'
export type { ArgumentOverride, ResultOverride, ToolOverride } from './catalog/override.js'
export type { MisfitOverride, OverrideRules, Overrides, ShownTools, Withheld } from './catalog/overriding.js'
export {
  convertTools,
  type ProviderFormat,
  type ProviderTools,
  providerFormats,
  type ToolLosses,
} from './catalog/provider-tools.js'
export type { Snapshot as CatalogSnapshot } from './catalog/snapshot.js'
export type { UsageCounters } from './catalog/usage.js'
export { MCPRegistry, type MCPRegistryOptions, type RegistryTool, type ToolDescription } from './compat/mcp-registry.js'
export {
  isExecutionErrorResult,
  type ToolInfo,
  ToolManager,
  type ToolManagerOptions,
  type ToolRegistration,
} from './compat/tool-manager.js'
export type { ConfigChange } from './config/config-change.js'
export type { FoundBy } from './config/find.js'
export type { Fingerprint } from './config/fingerprint.js'
export type { LoadedConfig, LoadOptions, WrittenConfig } from './config/load.js'
export type { Config } from './config/schema.js'
export {
  type ErrorCode as GatewayErrorCode,
  type ErrorExtras,
  errorCodes,
  errorNumbers,
  GatewayError,
  isGatewayError,
} from './errors.js'
export type {
  CallWrapper,
  Gateway as CoreGateway,
  GatewayOptions as CoreGatewayOptions,
  SourceInfo,
  SourceOptions,
} from './gateway.js'
export type { Authenticate, AuthResult } from './http/auth.js'
export type { BreakerOptions } from './invocation/circuits/circuit.js'
export type { RateLimit, SharedLimiter } from './invocation/limits/rate.js'
export type { CallSettings } from './invocation/order.js'
export { type Overriding, overridingBy } from './invocation/overriding.js'
export { type Plugging, type PluginsOptions, usingPlugins } from './invocation/plugging.js'
export type { AdmissionLimits } from './invocation/steps/admit.js'
export type { SourceWrapper } from './invocation/steps/dispatch.js'
export type { Quota as CallQuota, QuotaOf } from './invocation/steps/quota.js'
export type { RetryOptions } from './invocation/steps/retry.js'
export { type SecretSearch, type SecretsOf, searchForSecrets } from './invocation/steps/secrets.js'
export type { Flow, FlowOwner, Visit, WorkResult } from './invocation/waiting/flow.js'
export type { ParkedCall, ParkingLimits } from './invocation/waiting/parking.js'
export type { OpenedState, StateOptions, WaitingRoom } from './invocation/waiting/waiting-room.js'
export { type CatalogSourceOptions, createCatalogFileSource } from './library/catalog-source.js'
export {
  type AnswerOptions,
  type CallOptions,
  createGateway,
  type Gateway,
  type GatewayOptions,
  type MessageAnswer,
  type TypedGateway,
} from './library/gateway.js'
export {
  type CallTape,
  type RecordedCall,
  type Replayed,
  type ReplayOptions,
  recordCalls,
  replayCalls,
} from './library/replay.js'
export {
  createScripts,
  type GatewayScripts,
  type GatewayScriptsOptions,
  type ScriptRunOptions,
} from './library/scripts.js'
export type {
  AddressEntry,
  CatalogEntry,
  CommandEntry,
  ModuleEntry,
  OpenApiEntry,
  ServerEntry,
  ServerEntryCommon,
  StoredScriptsEntry,
} from './library/server-entry.js'
export { toText, toToolResult, toValue } from './model/answer.js'
export type { Asking, Question as AskingQuestion, Round as AskingRound } from './model/asking.js'
export type { BoundName, BoundOwner } from './model/bounds.js'
export type {
  Call,
  CallLink,
  CallOrigin,
  CallSession,
  FaceName,
  Found,
  IsFor,
  Progress,
  RequestKind,
  RunId,
  ScriptMark,
  Target,
  ValidationMode,
  Wanted,
  WhoAsks,
} from './model/call.js'
export {
  type Caller,
  type CallerKind,
  type CallerLimits,
  type Identity,
  localCaller,
  type Right,
} from './model/caller.js'
export type { CancelListener, CancelSignal } from './model/cancel.js'
export { type Clock, systemClock } from './model/clock.js'
export type { JsonObject, JsonPrimitive, JsonValue } from './model/json.js'
export type { ResultKeeper } from './model/kept-result.js'
export type { OpenCircuit } from './model/open-circuit.js'
export type { Outcome, OutcomeMeta } from './model/outcome.js'
export {
  type CallChange,
  definePlugin,
  type EndingChange,
  type HookName,
  type ListChange,
  type ListedTool,
  type Plugin,
  type PluginCall,
  type PluginEnding,
  type PluginModule,
  type PluginTerms,
} from './model/plugin.js'
export type { RawResult } from './model/raw-result.js'
export type { Answer, ContentBlock, ToolResult } from './model/result.js'
export type { Seal } from './model/seal.js'
export type { BoundLimits, BoundRefusals, Share, Shares } from './model/shares.js'
export type { Usage as ToolUsage } from './model/temperature.js'
export {
  type EventSubject,
  type EventText,
  type ToldEvent,
  type ToldEventType,
  toldEventTypes,
} from './model/told-event.js'
export type { OwnSwitch, Tool, ToolAnnotations, ToolDefinition, ToolId, ToolSpec, ToolTraits } from './model/tool.js'
export type {
  ApprovalTerms,
  AskVerdict,
  CallApprovals,
  CallRule,
  CallRuleSet,
  CallRules,
  CallToApprove,
  EffectFor,
  ExplainedRule,
  PlacedRule,
  RuleClass,
  RuleSubject,
  RuleVerdict,
} from './policy/call-rules.js'
export type { Effect, EffectBy, EffectSubject, EffectWords } from './policy/effects.js'
export type { FlowRules, Flows } from './policy/flows.js'
export type { Approver, GrantAnswer, GrantDecision } from './policy/grant-answers.js'
export type { GrantEvent } from './policy/grant-book.js'
export type { ApprovedBy, CallGrant, GrantState, GrantTerms, Remembered } from './policy/grants.js'
export type { CallAnswers } from './policy/late-approvals.js'
export type {
  Action as PolicyAction,
  Decision as PolicyDecision,
  Policy,
  PolicyRules,
  ProfileRules,
  Rules as ToolRules,
  Subject as PolicySubject,
} from './policy/policy.js'
export { compileRules } from './policy/rules.js'
export type { MessageFormat } from './providers/messages.js'
export type { CallTally } from './sandbox/ending.js'
export type { ScriptLimits } from './sandbox/limits.js'
export type { ScriptReport, ScriptTerms } from './sandbox/scripts.js'
export { toFunctionParameters } from './schema/projections/function-parameters.js'
export type { AlgorithmHit, SearchAlgorithm } from './search/algorithm.js'
export type { SearchOptions } from './search/search.js'
export type {
  SearchArea,
  SearchMethod,
  SearchOutcome,
  SearchQueryOptions,
  SearchResult,
} from './search/tool-search.js'
export type { SecretCounts, SecretMode, SecretsRule } from './secrets/mask.js'
export { loadConfig } from './serving/embedded/load-config.js'
export type {
  ServedProfile,
  ServeHttpOptions,
  ServeOptions,
  ServeStdioOptions,
  XiaozhiLinkOptions,
} from './serving/embedded/options.js'
export { type Served, serve } from './serving/embedded/serve.js'
export type { CatalogFileOptions } from './sources/catalog-file/catalog-file.js'
export { createEmbeddedSource, type EmbeddedOptions, type EmbeddedService } from './sources/embedded/embedded.js'
export { exampleTools } from './sources/examples/example-tools.js'
export { defineTool, type FunctionTool, type ToolContext, type ToolOptions } from './sources/functions/define-tool.js'
export type { StandardSchema } from './sources/functions/standard-schema.js'
export type { Source, SourceCall, SourceUpdate, ToolProblem } from './sources/source.js'
export type { ProcessCount, SourceState, SourceStatus, Supervised } from './sources/status.js'
export type { StoreBackend } from './storage/backends.js'
export { openStore, type StoreOptions } from './storage/open.js'
export type { OnCorrupt } from './storage/set-aside.js'
export type {
  DocumentReader,
  DocumentSet,
  Store,
  StoredDocument,
  StoredTool,
  StoreProblem,
  StoreReader,
  Temperature,
  ToolSelection,
  ToolUses,
} from './storage/store.js'
export type {
  CallListener,
  CallLoad,
  CallRecord,
  CallScript,
  CallSecrets,
  CallStats,
  SourceLoad,
  StepTime,
} from './telemetry/calls.js'
export type { Logger as GatewayLogger, LogLevel } from './telemetry/logger.js'
