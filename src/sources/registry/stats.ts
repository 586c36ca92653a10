import type { JsonObject } from '../../model/json.js'
import { upstreamOf } from '../../model/tool.js'
import { reading } from './answers.js'
import { fitting, shorten } from './budget.js'
import { categoriesOf, type ListScope } from './category-list.js'

/** `registry://stats`. */
export const statsOf = ({ board, caller, nameOf, budgetBytes }: ListScope): JsonObject => {
  const tools = board.list(caller)
  const used = tools
    .map((tool) => ({ tool, count: board.catalog.usage.of(upstreamOf(tool).id).count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, 5)
  const categories = categoriesOf(tools)
  const most_used = used.map(({ tool, count }) => ({
    name: nameOf(tool),
    description: shorten(tool.definition.description ?? ''),
    use_count: count,
  }))
  const shown = Math.floor(budgetBytes / 2)
  return { total_tools: tools.length, total_categories: categories.length, ...within(categories, shown), most_used }
}

/** `registry://categories`. */
export const categoriesWithin = ({ board, caller, budgetBytes }: ListScope): JsonObject => {
  const categories = categoriesOf(board.list(caller))
  return { count: categories.length, ...within(categories, budgetBytes - 300) }
}

// A resource has no arguments; the rest is read with list_tools_by_category.
const within = (categories: readonly string[], budgetBytes: number): JsonObject => {
  const shown = categories.slice(0, fitting(categories, budgetBytes))
  return { categories: shown, ...reading(shown.length < categories.length ? String(shown.length) : undefined) }
}
