import { categoryOf, type Tool, type ToolId } from '../model/tool.js'
import type { SearchArea } from './tool-search.js'

const mostAreas = 8
const mostExamples = 3

/** What there is to ask for among these tools: the largest categories, with the most used tools of each. */
export const areasOf = (tools: Iterable<Tool>, usage: (id: ToolId) => number = () => 0): readonly SearchArea[] => {
  const areas = new Map<string, Tool[]>()
  for (const tool of tools) {
    const category = categoryOf(tool)
    const known = areas.get(category)
    if (known) known.push(tool)
    else areas.set(category, [tool])
  }
  return [...areas]
    .sort(([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1))
    .slice(0, mostAreas)
    .map(([category, all]) => ({ category, tools: all.length, examples: mostUsed(all, usage) }))
}

const mostUsed = (tools: readonly Tool[], usage: (id: ToolId) => number): readonly Tool[] =>
  tools
    .map((tool) => ({ tool, used: usage(tool.id) || 0 }))
    .sort((a, b) => b.used - a.used || (a.tool.id < b.tool.id ? -1 : 1))
    .slice(0, mostExamples)
    .map(({ tool }) => tool)
