import { toRegistered } from '../catalog/kept-definitions.js'
import { isGatewayError, ValueError } from '../errors.js'
import { createGateway, type Gateway, type GatewayOptions } from '../gateway.js'
import type { Temperature } from '../model/temperature.js'
import { type Tool, upstreamOf } from '../model/tool.js'
import type { SearchMethod } from '../search/tool-search.js'
import { createRegisteredSource, type RegisteredSource } from '../sources/registry/registered.js'
import { registeredSource, type Store, type StoredTool, toSpec } from '../storage/store.js'
import { silentLogger } from '../telemetry/logger.js'
import { metadataOf, specOf, type ToolMetadata } from './tool-metadata.js'
import { storeOver, type ToolStorage } from './tool-storage.js'

/** One hit (002-14). */
export interface ToolSearchResult {
  readonly tool_name: string
  readonly description: string
  readonly score: number
  readonly match_reason: string
}

export interface ToolRegistryOptions extends Pick<GatewayOptions, 'search' | 'store' | 'clock' | 'logger'> {
  /** The same as `store`, by document 002's interface. */
  readonly storage?: ToolStorage | undefined
}

/**
 * Definitions that can be found by words (002-07). Nothing in it can be called; mount sources in a gateway for that. With a
 * store it begins with what is kept there: `await registry.ready`, or let the first search do so.
 */
export class ToolRegistry {
  readonly gateway: Gateway
  /** Resolves when what is kept is here; rejects when it cannot be read. */
  readonly ready: Promise<void>
  readonly #registered: RegisteredSource
  readonly #store: Store | undefined
  #writing: Promise<unknown> = Promise.resolve()

  constructor(options: ToolRegistryOptions = {}) {
    const { storage, store = storage && storeOver(storage), logger = silentLogger, ...rest } = options
    const keeps = (tool: Tool): boolean => tool.source !== registeredSource
    this.gateway = createGateway({ ...rest, logger, store, keeps })
    this.#store = store
    this.#registered = createRegisteredSource(store ? 'later' : [])
    // It reports before it first waits, so what is registered on the next line is found.
    void this.gateway.addSource(registeredSource, this.#registered, { namespace: '' })
    this.ready = store ? this.#bring(store) : Promise.resolve()
    // Whoever awaits it hears of it; whoever does not finds it in the log.
    this.ready.catch((error) => logger.log('error', `The store could not be read: ${error.message}`))
  }

  /** A registry that has brought back what its store keeps. */
  static async open(options: ToolRegistryOptions): Promise<ToolRegistry> {
    const registry = new ToolRegistry(options)
    await registry.ready
    return registry
  }

  /** An equal name replaces. It is found at once; `saved` tells when it is kept. */
  register(tool: ToolMetadata): void {
    this.registerMany([tool])
  }

  /** Many at once, in one write (002-19). */
  registerMany(tools: readonly ToolMetadata[]): void {
    const specs = tools.map(specOf)
    for (const spec of specs) this.#registered.put(spec)
    for (const { name, use_frequency, last_used } of tools)
      if (use_frequency)
        this.gateway.catalog.usage.restore(name, {
          count: use_frequency,
          lastUsed: last_used ? Date.parse(last_used) : null,
        })
    const { usage } = this.gateway.catalog
    const stored = specs.map(toRegistered).map((each): StoredTool => {
      const { count, lastUsed } = usage.of(each.id)
      return { ...each, useCount: count, lastUsed, temperature: this.#temperature(each.id) }
    })
    this.#write((store) => (store.merge ? store.merge(stored, []) : store.saveMany(stored)))
  }

  unregister(name: string): boolean {
    const isThere = this.#registered.drop(name)
    if (isThere) this.#write((store) => store.delete(name))
    return isThere
  }

  /** Resolves when all that was registered and counted so far is kept; rejects with why it could not be. */
  async saved(): Promise<void> {
    await this.ready
    const writing = this.#writing
    this.#writing = Promise.resolve()
    await writing
    await this.gateway.saved()
  }

  /** Best first. Throws ValueError for a method that does not exist or has nothing to search with. */
  async search(query: string, method: SearchMethod = 'auto', limit = 5): Promise<ToolSearchResult[]> {
    return this.#search(query, method, limit, () => true)
  }

  /** The same among the tools that are used often. */
  async searchHot(query: string, method: SearchMethod = 'auto', limit = 5): Promise<ToolSearchResult[]> {
    return this.#search(
      query,
      method === 'embedding' ? 'bm25' : method,
      limit,
      ({ id }) => this.#temperature(id) !== 'cold',
    )
  }

  /** Several searches at once (002-19), in the order they were asked. */
  async searchMany(
    queries: readonly string[],
    method: SearchMethod = 'auto',
    limit = 5,
  ): Promise<ToolSearchResult[][]> {
    return Promise.all(queries.map((query) => this.search(query, method, limit)))
  }

  async #search(
    query: string,
    method: SearchMethod,
    limit: number,
    wanted: (tool: Tool) => boolean,
  ): Promise<ToolSearchResult[]> {
    await this.ready
    try {
      const { results } = await this.gateway.search(query, { method, limit: this.gateway.catalog.size })
      return results
        .filter(({ tool }) => wanted(tool))
        .slice(0, Math.max(0, limit))
        .map(({ tool, score, matchReason }) => ({
          tool_name: tool.name,
          description: tool.definition.description ?? '',
          score,
          match_reason: matchReason,
        }))
    } catch (error) {
      throw isGatewayError(error) ? new ValueError(error.message, { cause: error }) : error
    }
  }

  /** What is known of a tool, or null. */
  getTool(name: string): ToolMetadata | null {
    const tool = this.gateway.find(name)
    if (!tool) return null
    return metadataOf(tool.name, tool, this.gateway.catalog.usage.of(upstreamOf(tool).id))
  }

  /** Counts a use; false for a tool that is not there. */
  updateUsage(name: string): boolean {
    const tool = this.gateway.find(name)
    if (!tool) return false
    this.gateway.catalog.usage.count(tool.id, Date.now())
    return true
  }

  /** Ends it when all is kept. The store stays open: it is closed by whoever opened it. */
  async close(): Promise<void> {
    await this.#writing.catch(() => {})
    await this.gateway.close()
  }

  async #bring(store: Store): Promise<void> {
    await this.gateway.ready
    const stored = await store.load()
    // By its id, which is its name to everybody here, whichever source it came from.
    const specs = stored.map((tool) => ({ ...toSpec(tool), definition: { ...tool.definition, name: tool.id } }))
    this.#registered.bring(
      specs.map(({ owner: _, ...spec }) => spec),
      true,
    )
  }

  #write(change: (store: Store) => Promise<unknown>): void {
    const store = this.#store
    if (!store) return
    const before = this.#writing
    this.#writing = change(store).then(() => before)
    // `saved` tells; without it nobody may end because of it.
    this.#writing.catch(() => {})
  }

  #temperature(id: string): Temperature {
    return this.gateway.catalog.usage.temperature(id, Date.now())
  }

  // The names document 002 uses.
  get_tool = this.getTool
  update_usage = this.updateUsage
  search_hot = this.searchHot
  register_many = this.registerMany
  search_many = this.searchMany
}
