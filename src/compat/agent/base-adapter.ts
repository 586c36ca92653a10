import { EventEmitter } from 'node:events'
import { messageOf } from '../../errors.js'
import type { Logger as GatewayLogger } from '../../telemetry/logger.js'
import type { IMCPServiceAdapter, ServiceEvent } from './adapter.js'
import { type LevelLogger, Logger, toAgentLogger } from './log.js'
import type { CallToolResult, Tool } from './protocol.js'
import type { AdapterConfig, HealthCheckConfig, ServiceStatus, ServiceType } from './settings.js'

/** The start of an adapter of one's own (001-08): events, status and logging are here, the rest is up to the subclass. */
export abstract class BaseServiceAdapter implements IMCPServiceAdapter {
  readonly name: string
  readonly namespace: string
  readonly type: ServiceType
  protected readonly config: AdapterConfig
  protected logger: Logger
  protected readonly eventEmitter = new EventEmitter()
  protected _status: ServiceStatus = 'stopped'
  #hasOwnLogger: boolean

  constructor(
    name: string,
    namespace: string,
    type: ServiceType,
    config: AdapterConfig,
    logger?: GatewayLogger | LevelLogger | undefined,
  ) {
    this.name = name
    this.namespace = namespace
    this.type = type
    this.config = config
    this.#hasOwnLogger = logger !== undefined
    this.logger = (logger ? toAgentLogger(logger) : Logger.getInstance()).child({ service: name })
    // Node ends the process over an `error` that nobody hears; a failing service must not be able to.
    this.eventEmitter.on('error', () => {})
  }

  get status(): ServiceStatus {
    return this._status
  }

  get enabled(): boolean {
    return this.config.enabled !== false
  }

  get healthCheck(): HealthCheckConfig | undefined {
    return this.config.healthCheck
  }

  abstract start(): Promise<void>
  abstract stop(): Promise<void>
  abstract listTools(): Promise<Tool[]>
  abstract callTool(name: string, args: Record<string, any>): Promise<CallToolResult>
  abstract isHealthy(): Promise<boolean>

  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  on(event: ServiceEvent, listener: (...args: any[]) => void): void {
    this.eventEmitter.on(event, listener)
  }

  off(event: ServiceEvent, listener: (...args: any[]) => void): void {
    this.eventEmitter.off(event, listener)
  }

  /** Called by the registry, so that a registered adapter writes where the registry does. A logger of its own stays. */
  useLogger(logger: GatewayLogger | LevelLogger): void {
    if (!this.#hasOwnLogger) this.logger = toAgentLogger(logger).child({ service: this.name })
  }

  protected setStatus(status: ServiceStatus): void {
    if (this._status === status) return
    this._status = status
    this.#emit('status-change', status)
  }

  protected emitError(error: Error): void {
    this.logger.error(`Service error: ${error.message}`, 'code' in error ? { code: error.code } : undefined)
    this.#emit('error', error)
  }

  /** A listener that throws is its own problem, not the service's. */
  #emit(event: ServiceEvent, value: unknown): void {
    try {
      this.eventEmitter.emit(event, value)
    } catch (error) {
      this.logger.error(`A listener of '${event}' failed: ${messageOf(error)}`)
    }
  }
}
