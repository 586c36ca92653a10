import { messageOf } from '../../errors.js'
import { type Clock, systemClock } from '../../model/clock.js'
import type { StdioHost } from '../../sources/stdio/sessions.js'
import type { Logger } from '../../telemetry/logger.js'
import type { Shared } from '../held.js'
import { sharedStdioHost } from '../stdio-host.js'
import type { IMCPServiceAdapter } from './adapter.js'
import { ErrorCode, MCPAgentError, toAgentError } from './agent-error.js'
import { BaseServiceAdapter } from './base-adapter.js'
import { type HealthWatch, watchHealth } from './health.js'
import { type AgentLogger, type LevelLogger, toAgentLogger } from './log.js'
import { StdioServiceAdapter } from './stdio-adapter.js'

export interface ServiceRegistryOptions {
  readonly clock?: Clock | undefined
}

interface Entry {
  readonly adapter: IMCPServiceAdapter
  readonly onError: (error: unknown) => void
  health: HealthWatch | undefined
}

/** The services of an agent (001-09): who is there, started and stopped together, asked how they are. */
export class ServiceRegistry {
  readonly #entries = new Map<string, Entry>()
  readonly #logger: AgentLogger
  readonly #adapterLogger: AgentLogger
  /** Without a logger of its own, adapters keep theirs. */
  readonly #isHeard: boolean
  readonly #clock: Clock
  readonly #processes: Shared<StdioHost>

  constructor(logger?: Logger | LevelLogger, { clock = systemClock }: ServiceRegistryOptions = {}) {
    this.#isHeard = logger !== undefined
    this.#adapterLogger = toAgentLogger(logger)
    this.#logger = this.#adapterLogger.child('registry')
    this.#clock = clock
    this.#processes = sharedStdioHost(this.#adapterLogger.child('stdio-adapter'))
  }

  /** Throws for a name or a namespace that is taken: `ns.tool` must have one owner. */
  register(adapter: IMCPServiceAdapter): void {
    const { name, namespace, type } = adapter
    if (this.#entries.has(name))
      throw new MCPAgentError(ErrorCode.CONFIG_VALIDATION_ERROR, `Service ${name} already registered`)
    const rival = this.getByNamespace(namespace)
    if (rival)
      throw new MCPAgentError(
        ErrorCode.CONFIG_VALIDATION_ERROR,
        `Namespace ${namespace} of service ${name} belongs to service ${rival.name}; choose another`,
      )
    if (adapter instanceof BaseServiceAdapter && this.#isHeard) adapter.useLogger(this.#adapterLogger)
    if (adapter instanceof StdioServiceAdapter) adapter.useProcesses(this.#processes)
    const entry: Entry = { adapter, onError: this.#hearErrors(adapter), health: undefined }
    adapter.on('error', entry.onError)
    this.#entries.set(name, entry)
    this.#watch(entry)
    this.#logger.info(`Service registered: ${name}`, { namespace, type })
  }

  /** Stops the service and forgets it, whether or not it stopped well. */
  async unregister(name: string): Promise<void> {
    const entry = this.#entries.get(name)
    if (!entry) throw new MCPAgentError(ErrorCode.SERVICE_NOT_FOUND, `Service ${name} is not registered`)
    this.#entries.delete(name)
    this.#unwatch(entry)
    try {
      await entry.adapter.stop()
    } catch (error) {
      throw toAgentError(error, ErrorCode.SERVICE_STOP_ERROR)
    } finally {
      entry.adapter.off('error', entry.onError)
      this.#logger.info(`Service unregistered: ${name}`)
    }
  }

  get(name: string): IMCPServiceAdapter | undefined {
    return this.#entries.get(name)?.adapter
  }

  /** In the order of registration. */
  getAll(): IMCPServiceAdapter[] {
    return [...this.#entries.values()].map(({ adapter }) => adapter)
  }

  getByNamespace(namespace: string): IMCPServiceAdapter | undefined {
    return this.getAll().find((adapter) => adapter.namespace === namespace)
  }

  /** What the last health checks said; true for what was not checked yet. */
  isHealthy(name: string): boolean {
    return this.#entries.get(name)?.health?.healthy ?? true
  }

  /** Starts all enabled services at once. One that fails is logged and stays registered; the others are not held up. */
  async startAll(): Promise<void> {
    await Promise.all([...this.#entries.values()].map((entry) => this.#start(entry)))
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#entries.values()].map((entry) => this.#stop(entry)))
  }

  async #start(entry: Entry): Promise<void> {
    const { adapter } = entry
    this.#watch(entry)
    if (adapter.enabled === false || adapter.status === 'running' || adapter.status === 'starting') return
    try {
      await adapter.start()
      this.#logger.info(`Service started: ${adapter.name}`)
    } catch (error) {
      this.#logger.error(`Service start failed: ${adapter.name}`, { reason: messageOf(error) })
    }
  }

  async #stop(entry: Entry): Promise<void> {
    this.#unwatch(entry)
    try {
      await entry.adapter.stop()
    } catch (error) {
      this.#logger.error(`Service stop failed: ${entry.adapter.name}`, { reason: messageOf(error) })
    }
  }

  #watch(entry: Entry): void {
    entry.health ??= watchHealth(entry.adapter, this.#clock, this.#logger)
  }

  #unwatch(entry: Entry): void {
    entry.health?.stop()
    entry.health = undefined
  }

  /** There is always one listener: Node ends the process over an `error` event that nobody hears. */
  #hearErrors(adapter: IMCPServiceAdapter): (error: unknown) => void {
    if (adapter instanceof BaseServiceAdapter) return () => {}
    return (error) => this.#logger.error(`Service error: ${messageOf(error)}`, { service: adapter.name })
  }
}
