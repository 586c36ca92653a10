import type { JsonObject } from '../../model/json.js'
import type { Answer } from '../../model/result.js'
import type { SourceCall } from '../../sources/source.js'
import type { CallToolResult, Tool } from './protocol.js'
import type { HealthCheckConfig, ServiceStatus, ServiceType } from './settings.js'

export type ServiceEvent = 'error' | 'status-change'

/** One service behind the agent (001-07). What follows `off` is ours, and optional: other implementations need not know it. */
export interface IMCPServiceAdapter {
  readonly name: string
  readonly namespace: string
  readonly type: ServiceType
  readonly status: ServiceStatus

  start(): Promise<void>
  stop(): Promise<void>
  restart(): Promise<void>

  listTools(): Promise<Tool[]>
  callTool(name: string, args: Record<string, any>): Promise<CallToolResult>

  isHealthy(): Promise<boolean>

  on(event: ServiceEvent, listener: (...args: any[]) => void): void
  off(event: ServiceEvent, listener: (...args: any[]) => void): void

  /** Default true. `startAll` passes by what is not enabled. */
  readonly enabled?: boolean | undefined
  /** How often the registry asks `isHealthy`, and how long it waits. Default 30,000 and 5,000. */
  readonly healthCheck?: HealthCheckConfig | undefined
  /** A call that is already on the path of a gateway, so that it does not go through all rules again. Default: `callTool`. */
  carry?(name: string, args: JsonObject, context: SourceCall): Answer | Promise<Answer>
}
