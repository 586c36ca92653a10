import type { Tool, ToolId } from '../model/tool.js'

/** What exists at one version. Frozen: whoever holds it sees one consistent catalog for as long as they like. */
export interface Snapshot {
  readonly version: number
  /** Sorted by id, so that lists are stable and hash alike. */
  readonly tools: readonly Tool[]
  get(id: ToolId): Tool | undefined
}

export const emptySnapshot: Snapshot = Object.freeze({ version: 0, tools: Object.freeze([]), get: () => undefined })

/** The next snapshot: the old sorted list merged with the changes in one pass, `undefined` meaning gone. */
export const mergeSnapshot = (
  old: Snapshot,
  changes: ReadonlyMap<ToolId, Tool | undefined>,
  version: number,
): Snapshot => {
  const tools = Object.freeze(mergeSorted(old.tools, changes))
  return Object.freeze({ version, tools, get: (id: ToolId) => tools[indexOf(tools, id)] })
}

const mergeSorted = (tools: readonly Tool[], changes: ReadonlyMap<ToolId, Tool | undefined>): Tool[] => {
  const fresh = [...changes.keys()].sort(byCodeUnit)
  const merged: Tool[] = []
  let next = 0
  for (const tool of tools) {
    while (next < fresh.length && fresh[next]! < tool.id) push(merged, changes.get(fresh[next++]!))
    if (fresh[next] === tool.id) push(merged, changes.get(fresh[next++]!))
    else merged.push(tool)
  }
  while (next < fresh.length) push(merged, changes.get(fresh[next++]!))
  return merged
}

const push = (tools: Tool[], tool: Tool | undefined): void => {
  if (tool) tools.push(tool)
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The index of `id`, or -1. Binary, so that a snapshot needs no map of its own. */
const indexOf = (tools: readonly Tool[], id: ToolId): number => {
  let low = 0
  let high = tools.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = tools[middle]!.id
    if (found === id) return middle
    if (found < id) low = middle + 1
    else high = middle - 1
  }
  return -1
}
