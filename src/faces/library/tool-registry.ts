import { isGatewayError, ValueError } from '../../errors.js'
import { createGateway, type Gateway, type GatewayOptions } from '../../gateway.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'
import { parseToolDefinition } from '../../schema/tool-definition.js'
import type { SearchMethod } from '../../search/tool-search.js'
import { defineTool } from '../../sources/functions/define-tool.js'
import type { Temperature } from '../../storage/store.js'

/** A tool as document 002 knows it (002-12). Only `name` and `description` are needed. */
export interface ToolMetadata {
  readonly name: string
  readonly description: string
  readonly mcp_server?: string | null
  readonly defer_loading?: boolean
  readonly tags?: Iterable<string>
  readonly category?: string | null
  readonly use_frequency?: number
  /** ISO time, or null when never used. */
  readonly last_used?: string | null
  readonly temperature?: Temperature
  readonly input_schema?: JsonObject | null
  readonly output_schema?: JsonObject | null
}

/** One hit (002-14). */
export interface ToolSearchResult {
  readonly tool_name: string
  readonly description: string
  readonly score: number
  readonly match_reason: string
}

export type ToolRegistryOptions = Pick<GatewayOptions, 'search' | 'store' | 'clock' | 'logger'>

/** Definitions that can be found by words (002-07). Nothing in it can be called; mount sources in a gateway for that. */
export class ToolRegistry {
  readonly gateway: Gateway

  constructor(options: ToolRegistryOptions = {}) {
    this.gateway = createGateway(options)
  }

  /** An equal name replaces. */
  register(tool: ToolMetadata): void {
    const { name, description, tags, category, defer_loading: deferLoading = true } = tool
    const { definition } = defineTool({ name, description, handler: () => undefined })
    this.gateway.register({
      definition: parseToolDefinition({
        ...definition,
        inputSchema: tool.input_schema ?? { type: 'object' },
        ...(isRecord(tool.output_schema) ? { outputSchema: tool.output_schema } : {}),
        ...(tool.mcp_server ? { _meta: { 'pegboard/mcp_server': tool.mcp_server } } : {}),
      }),
      tags: [...(tags ?? [])],
      ...(category ? { category } : {}),
      deferLoading,
      handler: () => {
        throw new ValueError(`'${name}' is a definition only; nothing here can run it.`)
      },
    })
    if (tool.use_frequency)
      this.gateway.catalog.usage.restore(name, {
        count: tool.use_frequency,
        lastUsed: tool.last_used ? Date.parse(tool.last_used) : null,
      })
  }

  unregister(name: string): boolean {
    return this.gateway.unregister(name)
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

  async #search(
    query: string,
    method: SearchMethod,
    limit: number,
    wanted: (tool: Tool) => boolean,
  ): Promise<ToolSearchResult[]> {
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
    const { count, lastUsed } = this.gateway.catalog.usage.of(tool.id)
    return {
      name: tool.name,
      description: tool.definition.description ?? '',
      mcp_server: (tool.definition._meta?.['pegboard/mcp_server'] as string | undefined) ?? null,
      defer_loading: tool.deferLoading ?? true,
      tags: new Set(tool.tags),
      category: tool.category ?? null,
      use_frequency: count,
      last_used: lastUsed === null ? null : new Date(lastUsed).toISOString(),
      temperature: this.#temperature(tool.id),
      input_schema: tool.definition.inputSchema,
      output_schema: tool.definition.outputSchema ?? null,
    }
  }

  /** Counts a use; false for a tool that is not there. */
  updateUsage(name: string): boolean {
    const tool = this.gateway.find(name)
    if (!tool) return false
    this.gateway.catalog.usage.count(tool.id, Date.now())
    return true
  }

  close(): Promise<void> {
    return this.gateway.close()
  }

  #temperature(id: string): Temperature {
    return this.gateway.catalog.usage.temperature(id, Date.now())
  }

  // The names document 002 uses.
  get_tool = this.getTool
  update_usage = this.updateUsage
  search_hot = this.searchHot
}
