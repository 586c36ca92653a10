import { temperatureOf } from '../model/temperature.js'
import { registeredSource, type StoredTool, type ToolUses } from './store.js'

/**
 * A definition as it is now, beside the counts that are there. One that somebody registered stays under its id: a source
 * that reports a tool of that name wins in the catalog, and the registration is there again when the source is gone.
 */
export const mergedTool = (known: StoredTool | undefined, tool: StoredTool): StoredTool => {
  if (!known) return tool
  if (known.source === registeredSource && tool.source !== registeredSource) return known
  const { useCount, lastUsed, temperature } = known
  return { ...tool, useCount, lastUsed, temperature }
}

/** The tool with these uses added to those that are counted. */
export const withUses = (tool: StoredTool, { count, lastUsed }: ToolUses): StoredTool => {
  const next = { count: tool.useCount + count, lastUsed: latest(tool.lastUsed, lastUsed) }
  // As warm as it was when it was last used: idleness is counted from there whenever somebody looks.
  const temperature = temperatureOf(next, next.lastUsed ?? 0)
  return { ...tool, useCount: next.count, lastUsed: next.lastUsed, temperature }
}

const latest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other)
