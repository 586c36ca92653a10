/** `pegboard/server`: a gateway that others can reach, over HTTP, stdio or to devices. See docs/api.md. */

export type { ConfigChange } from '../config/config-change.js'
export type { FoundBy } from '../config/find.js'
export type { Fingerprint } from '../config/fingerprint.js'
export type { HardCodedSecret } from '../config/hard-coded.js'
export type { ProgramName } from '../config/layers.js'
export type { LoadedConfig, LoadOptions, WrittenConfig } from '../config/load.js'
export type { LookedUp } from '../config/look-up.js'
export type { ConfigNote, ConfigProblem, Path as ConfigPath } from '../config/problems.js'
export type {
  Config,
  MisconfiguredSource,
  ProfileConfig,
  SourceConfig,
  UsableSource,
  XiaozhiEndpointConfig,
} from '../config/schema.js'
export type { ConfigFlags } from '../config/settings/table.js'
export type { Environment as ConfigEnvironment, LookUps } from '../config/variables.js'
export type { EndpointState, EndpointStatus } from '../faces/mcp/xiaozhi/status.js'
export type { Authenticate, AuthRefusal, AuthResult } from '../http/auth.js'
export { loadConfig } from '../serving/embedded/load-config.js'
export { type BoardOptions, openBoard, type RunningBoard } from '../serving/embedded/open-board.js'
export type {
  ServeCommon,
  ServedProfile,
  ServeHttpOptions,
  ServeOptions,
  ServeStdioOptions,
  XiaozhiLinkOptions,
} from '../serving/embedded/options.js'
export { type Served, serve } from '../serving/embedded/serve.js'
