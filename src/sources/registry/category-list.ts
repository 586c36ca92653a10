import type { Caller } from '../../model/caller.js'
import { defined, type JsonObject } from '../../model/json.js'
import { categoryOf, type Tool } from '../../model/tool.js'
import { reading } from './answers.js'
import type { RegistryBoard } from './board.js'
import { fitting, shorten } from './budget.js'
import { checkCategory, checkCursor, checkLimit } from './wrong-request.js'

export const categoriesOf = (tools: readonly Tool[]): string[] => [...new Set(tools.map(categoryOf))].sort()

export interface ListScope {
  readonly board: RegistryBoard
  readonly caller: Caller
  /** The name to call a tool by, for this client. */
  readonly nameOf: (tool: Tool) => string
  /** Bytes that the reply may take. */
  readonly budgetBytes: number
}

// What the frame of an answer takes beside its items.
const frameBytes = 300

/** `list_tools_by_category` (002-17), as much as fits and where to read on. */
export const listByCategory = (args: JsonObject, scope: ListScope): JsonObject => {
  const category = checkCategory(args.category)
  const limit = checkLimit(args.limit, 20)
  const from = checkCursor(args.cursor ?? args.offset)
  const tools = scope.board.list(scope.caller)
  if (category === 'all') return page('categories', categoriesOf(tools), from, Number.MAX_SAFE_INTEGER, scope)
  const within = tools.filter((tool) => categoryOf(tool) === category)
  const listed = within.slice(from, from + limit).map((tool) => toEntry(tool, scope))
  // Whole descriptions where they fit, one line of each where they do not.
  const isAll = fitting(listed, scope.budgetBytes - frameBytes) === listed.length
  const lines = isAll ? listed : listed.map((entry) => ({ ...entry, description: shorten(entry.description) }))
  const shown = lines.slice(0, fitting(lines, scope.budgetBytes - frameBytes))
  const next = from + shown.length
  return defined({
    category,
    count: within.length,
    tools: shown,
    truncated: shown.length < lines.length ? true : undefined,
    next_cursor: next < within.length ? String(next) : undefined,
  })
}

const toEntry = (tool: Tool, { nameOf }: ListScope) => ({
  name: nameOf(tool),
  description: tool.definition.description ?? '',
  tags: tool.tags.slice(0, 20),
})

const page = (
  key: string,
  items: readonly string[],
  from: number,
  limit: number,
  { budgetBytes }: ListScope,
): JsonObject => {
  const rest = items.slice(from, from + limit)
  const shown = rest.slice(0, fitting(rest, budgetBytes - frameBytes))
  return { [key]: shown, ...reading(shown.length < rest.length ? String(from + shown.length) : undefined) }
}
