import { defined } from '../model/json.js'
import type { Tool } from '../model/tool.js'

export interface JsonCatalog {
  readonly format: 'pegboard-catalog'
  readonly version: 1
  readonly tools: readonly Record<string, unknown>[]
}

/**
 * Tools as a JSON catalog that a `catalog` source reads back: MCP definitions with what we know beside them. Names are
 * canonical ids, so that an export of several sources holds no two of one name.
 */
export const exportCatalog = (tools: readonly Tool[]): JsonCatalog => ({
  format: 'pegboard-catalog',
  version: 1,
  tools: tools.map(toEntry),
})

const toEntry = ({ id, definition, tags, category, aliases, examples, idempotent, deferLoading }: Tool) => ({
  ...definition,
  name: id,
  ...defined({
    tags: tags.length > 0 ? tags : undefined,
    category,
    aliases,
    examples,
    idempotent: idempotent || undefined,
    deferLoading,
  }),
})
