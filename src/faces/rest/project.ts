import { messageOf } from '../../errors.js'
import { type ProviderFormat, type ProviderTools, toProviderTools } from '../../gateway.js'
import type { Tool } from '../../model/tool.js'

export interface Projected extends ProviderTools {
  /** The tools that are in the list, in its order. */
  readonly carried: readonly Tool[]
}

/** Tools in a provider's words. One whose schema a format cannot say at all is left out and told as a loss. */
export const projectTools = (tools: readonly Tool[], format: ProviderFormat): Projected => {
  try {
    return { ...toProviderTools(tools, format), carried: tools }
  } catch {
    const each = tools.map((tool) => ({ tool, ...projectOne(tool, format) }))
    return {
      tools: each.flatMap(({ tools: made }) => made),
      losses: each.flatMap(({ losses }) => losses),
      carried: each.filter(({ tools: made }) => made.length > 0).map(({ tool }) => tool),
    }
  }
}

const projectOne = (tool: Tool, format: ProviderFormat): ProviderTools => {
  try {
    return toProviderTools([tool], format)
  } catch (error) {
    const reason = `left out: ${messageOf(error)}`
    return { tools: [], losses: [{ tool: tool.id, losses: [{ path: '', keyword: 'type', reason }] }] }
  }
}
