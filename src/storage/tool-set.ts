import { GatewayError } from '../errors.js'
import { mergedTool, withUses } from './merge.js'
import type { StoredTool, Temperature, ToolSelection, ToolUses } from './store.js'
import { temperatures } from './stored-tool.js'

/** Everything a store holds at one moment, by id. Never edited: a change makes the next set. */
export type ToolSet = ReadonlyMap<string, StoredTool>

export type StoreChange =
  | { readonly type: 'put'; readonly tools: readonly StoredTool[] }
  | { readonly type: 'merge'; readonly tools: readonly StoredTool[]; readonly uses: readonly ToolUses[] }
  | { readonly type: 'delete'; readonly id: string }

export interface Applied {
  readonly next: ToolSet
  /** For each change, whether it did anything: what `delete` answers. */
  readonly effects: readonly boolean[]
}

export const applyChanges = (set: ToolSet, changes: readonly StoreChange[]): Applied => {
  const next = new Map(set)
  return { effects: changes.map((change) => applyChange(next, change)), next }
}

/** Changes `tools` itself; true if that did anything. */
export const applyChange = (tools: Map<string, StoredTool>, change: StoreChange): boolean => {
  if (change.type === 'delete') return tools.delete(change.id)
  if (change.type === 'merge') return mergeInto(tools, change)
  for (const tool of change.tools) tools.set(tool.id, tool)
  return change.tools.length > 0
}

const mergeInto = (
  into: Map<string, StoredTool>,
  { tools, uses }: { readonly tools: readonly StoredTool[]; readonly uses: readonly ToolUses[] },
): boolean => {
  for (const tool of tools) into.set(tool.id, mergedTool(into.get(tool.id), tool))
  const counted = uses.filter(({ id }) => into.has(id))
  for (const each of counted) into.set(each.id, withUses(into.get(each.id)!, each))
  return tools.length + counted.length > 0
}

export const toToolSet = (tools: Iterable<StoredTool>): ToolSet => new Map([...tools].map((tool) => [tool.id, tool]))

export const sortedTools = (tools: Iterable<StoredTool>): readonly StoredTool[] =>
  [...tools].sort((a, b) => compareIds(a.id, b.id))

export const pickTemperature = (set: ToolSet, temperature: Temperature, limit?: number): readonly StoredTool[] => {
  checkTemperature(temperature, limit)
  return [...set.values()]
    .filter((tool) => tool.temperature === temperature)
    .sort((a, b) => b.useCount - a.useCount || compareIds(a.id, b.id))
    .slice(0, limit)
}

export const pickTag = (set: ToolSet, tag: string): readonly StoredTool[] =>
  sortedTools([...set.values()].filter((tool) => tool.tags.includes(tag)))

/** A part of what is sorted by id. */
export const pickSelection = (sorted: readonly StoredTool[], selection: ToolSelection): readonly StoredTool[] => {
  const { source, notSource, temperature, after, limit = sorted.length } = selection
  const picked: StoredTool[] = []
  for (let at = after === undefined ? 0 : firstAfter(sorted, after); at < sorted.length; at++) {
    if (picked.length >= limit) break
    const tool = sorted[at]!
    const isWanted =
      (source === undefined || tool.source === source) &&
      (notSource === undefined || tool.source !== notSource) &&
      (temperature === undefined || tool.temperature === temperature)
    if (isWanted) picked.push(tool)
  }
  return picked
}

const firstAfter = (sorted: readonly StoredTool[], id: string): number => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareIds(sorted[middle]!.id, id) > 0) high = middle
    else low = middle + 1
  }
  return low
}

const sortings = new WeakMap<ToolSet, readonly StoredTool[]>()

/** Sorted once for as long as a set lives, which never changes: whoever reads it part by part must not pay for each. */
export const sortedOnce = (set: ToolSet): readonly StoredTool[] => {
  const known = sortings.get(set) ?? sortedTools(set.values())
  sortings.set(set, known)
  return known
}

export const usesIn = (set: ToolSet): readonly ToolUses[] =>
  [...set.values()]
    .filter(({ useCount }) => useCount > 0)
    .map(({ id, useCount, lastUsed }) => ({ id, count: useCount, lastUsed }))

/** SQLite reads a negative limit as "no limit", document 002 as an error; every backend here takes the second view. */
export const checkTemperature = (temperature: Temperature, limit?: number): void => {
  if (!temperatures.includes(temperature))
    throw new GatewayError('ARGUMENTS_INVALID', `The temperature must be one of ${temperatures.join(', ')}.`)
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0))
    throw new GatewayError('ARGUMENTS_INVALID', 'The limit must be a whole number from 0, or left out for all tools.')
}

/**
 * By code point, which is also the order of UTF-8 bytes, so that every database agrees with us. `<` on strings compares
 * UTF-16 units and puts surrogates (code points above U+FFFF) before U+E000–U+FFFF.
 */
export const compareIds = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1
  }
  return a.length - b.length
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff
