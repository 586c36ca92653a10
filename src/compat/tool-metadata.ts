import type { UsageCounters } from '../catalog/usage.js'
import { defined, isRecord, type JsonObject } from '../model/json.js'
import { type Temperature, temperatureOf } from '../model/temperature.js'
import { mcpServerKey, type ToolSpec } from '../model/tool.js'
import { parseToolDefinition } from '../schema/tool-definition.js'
import { parseRegistryTool } from '../storage/registry-tools.js'
import type { StoredTool } from '../storage/store.js'

/** A tool as document 002 knows it (002-12). Only `name` and `description` are needed. */
export interface ToolMetadata {
  readonly name: string
  readonly description: string
  readonly mcp_server?: string | null | undefined
  readonly defer_loading?: boolean | undefined
  readonly tags?: Iterable<string> | undefined
  readonly category?: string | null | undefined
  readonly use_frequency?: number | undefined
  /** ISO time, or null when never used. */
  readonly last_used?: string | null | undefined
  readonly temperature?: Temperature | undefined
  readonly input_schema?: JsonObject | null | undefined
  readonly output_schema?: JsonObject | null | undefined
}

/** A definition and its traits. Throws TOOL_INVALID or SCHEMA_INVALID. */
export const specOf = (tool: ToolMetadata): ToolSpec => ({
  definition: parseToolDefinition({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.input_schema ?? { type: 'object' },
    ...defined({
      outputSchema: isRecord(tool.output_schema) ? tool.output_schema : undefined,
      _meta: tool.mcp_server ? { [mcpServerKey]: tool.mcp_server } : undefined,
    }),
  }),
  tags: [...(tool.tags ?? [])],
  category: tool.category || undefined,
  deferLoading: tool.defer_loading ?? true,
})

type Known = ToolSpec & { readonly namespace?: string | undefined }

/** The same in document 002's words, with how often it was used. */
export const metadataOf = (name: string, tool: Known, usage: ReturnType<UsageCounters['of']>): ToolMetadata => ({
  name,
  description: tool.definition.description ?? '',
  mcp_server: (tool.definition._meta?.[mcpServerKey] as string | undefined) ?? (tool.namespace || null),
  defer_loading: tool.deferLoading ?? true,
  tags: new Set(tool.tags),
  category: tool.category ?? null,
  use_frequency: usage.count,
  last_used: usage.lastUsed === null ? null : new Date(usage.lastUsed).toISOString(),
  temperature: temperatureOf(usage, Date.now()),
  input_schema: tool.definition.inputSchema,
  output_schema: tool.definition.outputSchema ?? null,
})

/** What a store keeps, in document 002's words. */
export const metadataIn = (stored: StoredTool): ToolMetadata => ({
  ...metadataOf(stored.id, stored, { count: stored.useCount, lastUsed: stored.lastUsed }),
  temperature: stored.temperature,
})

/** The other way round. Throws TOOL_INVALID for what is no tool. */
export const storedFrom = (tool: ToolMetadata): StoredTool =>
  parseRegistryTool({ ...tool, tags: [...(tool.tags ?? [])], last_used: tool.last_used ?? null })
