/** Document 001's configuration (001-02 … 001-06), whole: nothing in it is optional that is not optional there. */

export type ServiceType = 'stdio' | 'sse' | 'http' | 'embedded'
export type ServiceStatus = 'stopped' | 'starting' | 'running' | 'error'

export interface ReconnectConfig {
  /** Milliseconds. */
  readonly initialBackoff: number
  /** Milliseconds. */
  readonly maxBackoff: number
}

export interface XiaozhiConfig {
  readonly endpoint: string
  readonly reconnect: ReconnectConfig
}

export interface HealthCheckConfig {
  /** Milliseconds. */
  readonly interval: number
  /** Milliseconds. */
  readonly timeout: number
}

export interface BaseServiceConfig {
  readonly type: ServiceType
  readonly enabled: boolean
  readonly namespace: string
  readonly healthCheck?: HealthCheckConfig | undefined
}

export interface StdioServiceConfig extends BaseServiceConfig {
  readonly type: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
}

export interface SSEServiceConfig extends BaseServiceConfig {
  readonly type: 'sse'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface HTTPServiceConfig extends BaseServiceConfig {
  readonly type: 'http'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface EmbeddedServiceConfig extends BaseServiceConfig {
  readonly type: 'embedded'
  /** A path or a package name; in code also the module itself. */
  readonly module: string | object
  readonly config?: Readonly<Record<string, any>> | undefined
}

export type ServiceConfig = StdioServiceConfig | SSEServiceConfig | HTTPServiceConfig | EmbeddedServiceConfig

/** What an adapter is made of. Its name and namespace are arguments of their own, and it is enabled unless it says not. */
export type AdapterConfig<Config extends BaseServiceConfig = ServiceConfig> = Config extends BaseServiceConfig
  ? Omit<Config, 'enabled' | 'namespace'> & Partial<Pick<Config, 'enabled' | 'namespace'>>
  : never

export interface ToolManagerConfig {
  /** UTF-8 bytes of the whole list as JSON. */
  readonly maxToolListSize: number
  /** UTF-8 bytes of one result's text. */
  readonly maxResultSize: number
  readonly namespaceEnabled: boolean
  /** One character. */
  readonly namespaceSeparator: string
  /** Names as listed, or globs over them; empty allows all. */
  readonly whitelist: readonly string[]
  /** Wins over the whitelist. */
  readonly blacklist: readonly string[]
}

export interface LoggingConfig {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly format: string
  readonly file?: string | undefined
}

export interface MCPAgentConfig {
  readonly xiaozhi: XiaozhiConfig
  readonly services: Readonly<Record<string, ServiceConfig>>
  readonly toolManager: ToolManagerConfig
  readonly logging: LoggingConfig
}
