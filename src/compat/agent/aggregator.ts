import { messageOf } from '../../errors.js'
import { createGateway, type Gateway, localSource } from '../../gateway.js'
import { localCaller } from '../../model/caller.js'
import { type Clock, systemClock } from '../../model/clock.js'
import { kindOf } from '../../model/json.js'
import type { Logger } from '../../telemetry/logger.js'
import type { IMCPServiceAdapter } from './adapter.js'
import { type AdapterSource, createAdapterSource } from './adapter-source.js'
import { ErrorCode, MCPAgentError } from './agent-error.js'
import { type AgentLogger, type LevelLogger, toAgentLogger } from './log.js'
import type { CallToolResult, Tool } from './protocol.js'
import type { ServiceRegistry } from './registry.js'
import { toCallResult, toServiceTool } from './result.js'
import type { ToolManagerConfig } from './settings.js'

export interface ToolAggregatorOptions {
  readonly clock?: Clock | undefined
  /** Writes argument values into the log, as document 001's sample does. Default: only their types; values may be secret. */
  readonly logArguments?: boolean | undefined
  /** A service that takes longer to list its tools is listed as last seen. Default 1,000 (001-18). */
  readonly listTimeoutMs?: number | undefined
  /** For one call. Default 30,000. */
  readonly callTimeoutMs?: number | undefined
}

interface Service {
  readonly adapter: IMCPServiceAdapter
  readonly source: AdapterSource
  readonly mount: string
}

const bareNames = { style: 'exact', namespacing: false, collisions: 'refuse' } as const

/** All services as one (001-10, 001-11): one list, one way to call. Rules, limits and calls are the gateway's. */
export class ToolAggregator {
  /** The gateway underneath, for what this face does not name. */
  readonly gateway: Gateway
  readonly #registry: ServiceRegistry
  readonly #config: ToolManagerConfig
  readonly #options: ToolAggregatorOptions
  readonly #logger: AgentLogger
  readonly #services = new Map<IMCPServiceAdapter, Service>()

  constructor(
    registry: ServiceRegistry,
    config: ToolManagerConfig,
    logger?: Logger | LevelLogger,
    options: ToolAggregatorOptions = {},
  ) {
    this.#registry = registry
    this.#config = config
    this.#options = options
    this.#logger = toAgentLogger(logger).child('tool-aggregator')
    this.gateway = createGateway({
      clock: options.clock ?? systemClock,
      logger: this.#logger,
      separator: config.namespaceSeparator,
      timeoutMs: options.callTimeoutMs ?? 30_000,
    })
    this.#applyRules()
  }

  /** Every tool that may be seen, service by service. A service that fails contributes nothing, and the log says so. */
  async listAllTools(): Promise<Tool[]> {
    const services = this.#sync().filter(({ adapter }) => this.#registry.isHealthy(adapter.name))
    const names = await Promise.all(services.map(({ source }) => source.refresh()))
    const all = services.flatMap(({ adapter }, index) =>
      names[index]!.map((name) => this.#applyNamespace(name, adapter)),
    )
    const tools = this.#toListed(this.#filterTools(all))
    this.#validateToolListSize(tools)
    return tools
  }

  /** A tool that fails is a result with `isError`; a call that reaches no tool throws MCPAgentError. */
  async callTool(toolName: string, args: Record<string, any> = {}): Promise<CallToolResult> {
    this.#logger.info(`Tool called: ${shown(toolName)}`, {
      args: this.#options.logArguments ? args : typesOf(args),
    })
    const tool = await this.#findTool(toolName)
    const { maxResultSize: maxResultBytes } = this.#config
    // `maxResultBytes` is document 001's `validateResultSize`: shaped to fit, warned of, or refused with 3003.
    return toCallResult(await this.gateway.call({ tool, args, caller: localCaller, maxResultBytes }))
  }

  /** Lets go of the services without stopping them: they are the registry's. */
  close(): Promise<void> {
    return this.gateway.close()
  }

  /** Follows the registry: who is new is mounted, who left is not. */
  #sync(): Service[] {
    const adapters = this.#registry.getAll()
    const present = new Set(adapters)
    for (const [adapter, { mount }] of this.#services) {
      if (present.has(adapter)) continue
      this.#services.delete(adapter)
      void this.gateway.removeSource(mount)
    }
    const newcomers = adapters.filter((adapter) => !this.#services.has(adapter))
    for (const adapter of newcomers) this.#mount(adapter)
    if (newcomers.length > 0) this.#applyRules()
    return adapters.map((adapter) => this.#services.get(adapter)!)
  }

  #mount(adapter: IMCPServiceAdapter): void {
    const { clock = systemClock, listTimeoutMs = 1000 } = this.#options
    const source = createAdapterSource(adapter, { clock, logger: this.#logger, listTimeoutMs })
    // The gateway keeps one name for its own functions.
    const mount = adapter.name === localSource ? `${adapter.name} service` : adapter.name
    this.#services.set(adapter, { adapter, source, mount })
    this.gateway.addSource(mount, source, { namespace: adapter.namespace }).catch((error: unknown) => {
      this.#logger.error(`Service ${adapter.name} is not listed: ${messageOf(error)}`)
    })
  }

  /** With namespaces off the lists hold bare names, while rules speak of ids: each entry is said once per namespace. */
  #applyRules(): void {
    const { whitelist, blacklist, namespaceEnabled, namespaceSeparator } = this.#config
    const toIds = (patterns: readonly string[]): readonly string[] =>
      namespaceEnabled
        ? patterns
        : [...this.#services.keys()].flatMap(({ namespace }) =>
            patterns.map((pattern) => namespace + namespaceSeparator + pattern),
          )
    this.gateway.policy.update({
      allow: whitelist.length > 0 ? toIds(whitelist) : undefined,
      deny: toIds(blacklist),
    })
  }

  #applyNamespace(name: string, { namespace }: IMCPServiceAdapter): string {
    return namespace + this.#config.namespaceSeparator + name
  }

  #filterTools(ids: readonly string[]) {
    return ids.map((id) => this.gateway.find(id)).filter((tool) => tool !== undefined)
  }

  #toListed(tools: ReturnType<Gateway['list']>): Tool[] {
    if (this.#config.namespaceEnabled) return tools.map((tool) => toServiceTool(tool.definition, tool.id))
    const bare = this.gateway.shown().names(bareNames)
    for (const { name, tools: rivals } of bare.collisions())
      this.#logger.error(`Tools are not listed: ${contested(name, rivals)}`, {
        code: ErrorCode.CONFIG_VALIDATION_ERROR,
      })
    return tools.filter((tool) => bare.find(tool.name)).map((tool) => toServiceTool(tool.definition, tool.name))
  }

  /** Never shortened in silence (C6): a link that cannot carry the list pages or searches; the log says why. */
  #validateToolListSize(tools: readonly Tool[]): void {
    const { maxToolListSize } = this.#config
    const size = Buffer.byteLength(JSON.stringify(tools))
    if (size <= maxToolListSize) return
    this.#logger.warn(`Tool list size ${size} bytes exceeds limit ${maxToolListSize}`, {
      code: ErrorCode.TOOL_LIST_TOO_LARGE,
      tools: tools.length,
      // Models are limited in tokens; four bytes each is the usual estimate.
      estimatedTokens: Math.ceil(size / 4),
    })
  }

  async #findTool(toolName: string): Promise<string> {
    this.#sync()
    if (!this.#config.namespaceEnabled) return this.#findBare(toolName)
    const parsed = this.#parseToolName(toolName)
    // A model may only be able to write the safe form of a name, which has no separator.
    if (!parsed) return this.gateway.find(toolName)?.id ?? toolName
    const service = this.#registry.getByNamespace(parsed.namespace)
    if (!service)
      throw new MCPAgentError(
        ErrorCode.SERVICE_NOT_FOUND,
        `Service not found for namespace: ${shown(parsed.namespace)}`,
        { namespace: shown(parsed.namespace) },
      )
    const id = this.#applyNamespace(parsed.toolName, service)
    if (!this.gateway.shown().find(id)) await this.#services.get(service)!.source.refresh()
    return id
  }

  /** At the first separator: namespaces hold none, names may. */
  #parseToolName(fullName: string): { readonly namespace: string; readonly toolName: string } | undefined {
    const at = fullName.indexOf(this.#config.namespaceSeparator)
    return at < 0 ? undefined : { namespace: fullName.slice(0, at), toolName: fullName.slice(at + 1) }
  }

  async #findBare(name: string): Promise<string> {
    const bare = this.gateway.shown().names(bareNames)
    if (!bare.find(name)) await Promise.all([...this.#services.values()].map(({ source }) => source.refresh()))
    const rivals = bare.collisions().find((collision) => collision.name === name)?.tools
    if (rivals) throw new MCPAgentError(ErrorCode.CONFIG_VALIDATION_ERROR, contested(name, rivals), { tools: rivals })
    return bare.find(name)?.id ?? name
  }
}

const contested = (name: string, rivals: readonly string[]): string =>
  `'${shown(name)}' is the name of several tools (${rivals.join(', ')}); enable namespaces or rename one`

// The name comes from a model and may be anything: shown short and on one line.
const shown = (name: string): string =>
  String(name)
    .slice(0, 120)
    .replace(/[\p{Cc}\u2028\u2029]/gu, '�')

const typesOf = (args: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(args ?? {})
      .slice(0, 32)
      .map(([name, value]) => [shown(name), kindOf(value)]),
  )
