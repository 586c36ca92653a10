import { createGateway, type Gateway } from '../../gateway.js'
import { localCaller } from '../../model/caller.js'
import { type Clock, systemClock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import type { Answer } from '../../model/result.js'
import { ownImplementation } from '../../model/version.js'
import { makeSource, proxyIn, type SourceEntry, type SourceSurroundings } from '../../sources/make-source.js'
import type { RestartOptions } from '../../sources/restart-policy.js'
import type { Source, SourceCall } from '../../sources/source.js'
import type { SourceStatus } from '../../sources/status.js'
import type { Logger } from '../../telemetry/logger.js'
import { ErrorCode, MCPAgentError, toAgentError } from './agent-error.js'
import { BaseServiceAdapter } from './base-adapter.js'
import type { LevelLogger } from './log.js'
import type { CallToolResult, Tool } from './protocol.js'
import { toCallResult, toServiceTool } from './result.js'
import type { AdapterConfig, ServiceStatus, ServiceType } from './settings.js'

export interface AdapterOptions {
  /** Default: the registry's, once registered. */
  readonly logger?: Logger | LevelLogger | undefined
  readonly clock?: Clock | undefined
  /** For the handshake and the first list together. Default 30,000. */
  readonly startTimeoutMs?: number | undefined
  /** For one call. Default 30,000. */
  readonly callTimeoutMs?: number | undefined
  /** When a service that failed is tried again. Default: three starts, then it waits for `start` (001-15). */
  readonly restart?: Omit<RestartOptions, 'clock'> | undefined
}

/** A source, and how to let go of what it was made with. */
export interface OpenedSource {
  readonly source: Source
  release?(): Promise<void>
}

interface Running {
  readonly gateway: Gateway
  readonly source: Source
  close(): Promise<void>
}

// Its own timer would ask everything twice.
const neverMs = 2 ** 31 - 1

const noProcesses = (): never => {
  throw new TypeError('Only a stdio service has a process.')
}

// The gateway of one service needs no other name for it.
const mounted = 'service'

/** Document 001's view on one of our sources: the supervisor does the work, this shows it in four words. */
export abstract class SourceServiceAdapter extends BaseServiceAdapter {
  protected readonly options: AdapterOptions
  #running: Running | undefined

  constructor(name: string, namespace: string, type: ServiceType, config: AdapterConfig, options: AdapterOptions) {
    super(name, namespace, type, config, options.logger)
    this.options = options
  }

  protected abstract openSource(): OpenedSource

  /**
   * The source that an entry describes. The registry asks for its health (001-09), the supervisor only judges.
   * @internal
   */
  protected makeSource(entry: SourceEntry, more: Partial<SourceSurroundings> = {}): Source {
    const { clock = systemClock, startTimeoutMs, restart } = this.options
    const { healthCheck } = this.config
    const lifecycle = {
      healthCheck: { interval: neverMs, timeout: healthCheck?.timeout ?? 5000 },
      restart: { ...restart, afterStartTries: restart?.afterStartTries ?? 'park' },
      startTimeoutMs,
    }
    return makeSource(
      this.name,
      { ...entry, ...lifecycle },
      {
        stdio: noProcesses,
        clientInfo: ownImplementation(),
        clock,
        logger: this.logger,
        folder: process.cwd(),
        proxy: proxyIn(process.env),
        ...more,
      },
    )
  }

  async start(): Promise<void> {
    if (this._status === 'running' || this._status === 'starting')
      throw new MCPAgentError(ErrorCode.SERVICE_START_ERROR, `Service ${this.name} is already ${this._status}`)
    this.setStatus('starting')
    try {
      // A start that failed before may still be trying again.
      await this.#end()
      await this.#open()
    } catch (error) {
      throw this.#startFailed(error)
    }
    this.setStatus('running')
  }

  async stop(): Promise<void> {
    try {
      await this.#end()
    } catch (error) {
      throw toAgentError(error, ErrorCode.SERVICE_STOP_ERROR)
    } finally {
      this.setStatus('stopped')
    }
  }

  async listTools(): Promise<Tool[]> {
    return this.#needRunning()
      .gateway.list()
      .map((tool) => toServiceTool(tool.definition, tool.name))
  }

  async callTool(name: string, args: Record<string, any> = {}): Promise<CallToolResult> {
    const { gateway } = this.#needRunning()
    const tool = gateway.list().find((each) => each.name === name)
    return toCallResult(await gateway.call({ tool: tool?.id ?? name, args, caller: localCaller }))
  }

  async isHealthy(): Promise<boolean> {
    const supervised = this.#running?.gateway.supervised(mounted)
    return supervised ? supervised.check() : this._status === 'running'
  }

  /** A call that is already on the call path of another gateway: it must not go through all rules again. */
  carry(name: string, args: JsonObject, context: SourceCall): Answer | Promise<Answer> {
    return this.#needRunning().source.call(name, args, context)
  }

  async #open(): Promise<void> {
    const { clock = systemClock, callTimeoutMs = 30_000 } = this.options
    const { source, release } = this.openSource()
    const gateway = createGateway({ clock, logger: this.logger, timeoutMs: callTimeoutMs })
    const running = { gateway, source, close: () => gateway.close().finally(release) }
    this.#running = running
    gateway.onSource(({ status }) => this.#running === running && this.#follow(status))
    const reported = gateway.addSource(mounted, source, { namespace: mounted })
    await Promise.all([reported, gateway.supervised(mounted)?.start()])
    if (this.#running !== running) throw new Error('it was stopped while it started.')
  }

  #follow({ state, reason }: SourceStatus): void {
    const status = projected[state]
    const before = this._status
    this.setStatus(status)
    if (status !== 'error' || before === 'error') return
    const code = before === 'starting' ? ErrorCode.SERVICE_START_ERROR : ErrorCode.SERVICE_UNHEALTHY
    this.emitError(new MCPAgentError(code, reason ?? `Service ${this.name} is not running`, { state }))
  }

  /** A supervised source has told its failure already; the others tell it here. */
  #startFailed(error: unknown): MCPAgentError {
    const failure = toAgentError(error, ErrorCode.SERVICE_START_ERROR)
    const told = startError(this.name, failure)
    if (this._status !== 'starting') return told
    this.setStatus('error')
    this.emitError(told)
    return told
  }

  async #end(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    await running?.close()
  }

  #needRunning(): Running {
    if (this.#running && this._status === 'running') return this.#running
    throw new MCPAgentError(
      ErrorCode.SERVICE_UNHEALTHY,
      `Service ${this.name} is not running (${this._status}); start it first`,
      { service: this.name, status: this._status },
    )
  }
}

/** Whatever kept it from starting, the code says that it did not start. */
const startError = (name: string, failure: MCPAgentError): MCPAgentError =>
  new MCPAgentError(
    ErrorCode.SERVICE_START_ERROR,
    `Service ${name} did not start: ${failure.message}`,
    failure.details,
    { cause: failure.cause ?? failure },
  )

/** The supervisor's states in document 001's four words. */
const projected: Readonly<Record<SourceStatus['state'], ServiceStatus>> = {
  stopped: 'stopped',
  starting: 'starting',
  ready: 'running',
  degraded: 'error',
  'backing-off': 'error',
  'crash-loop': 'error',
  parked: 'error',
  'needs-auth': 'error',
  'needs-config': 'error',
  pending: 'error',
  quarantined: 'error',
  elsewhere: 'running',
}
