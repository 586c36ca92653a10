import { advertisedName, safeNaming } from '../catalog/names.js'
import { isRecord } from '../model/json.js'
import type { ContentBlock, ToolResult } from '../model/result.js'
import { type Answered, type AskedCall, blockText, type ProviderDialect, textOf } from './dialect.js'

/** Anthropic's Messages: a message with `tool_use` blocks, or the blocks alone. */
export const anthropic: ProviderDialect = {
  read: (message) => {
    const blocks = isRecord(message) ? message.content : message
    if (!Array.isArray(blocks)) return undefined
    const asked = blocks.filter(isRecord).filter(({ type }) => type === 'tool_use')
    // A message without any is theirs only if it says so: lists of items are OpenAI's too.
    const theirs = isRecord(message) && (message.type === 'message' || message.role === 'assistant')
    return asked.length > 0 || theirs ? asked.map(toAsked) : undefined
  },
  answer: (answered) => (answered.length === 0 ? [] : [{ role: 'user', content: answered.map(toBlock) }]),
}

const toAsked = (block: Record<string, unknown>): AskedCall => ({
  id: typeof block.id === 'string' ? block.id : undefined,
  name: String(block.name ?? ''),
  args: block.input ?? {},
})

const toBlock = (each: Answered): unknown => {
  const head = { type: 'tool_result', tool_use_id: each.asked.id ?? '' }
  if ('found' in each)
    return {
      ...head,
      // References are expanded by the provider into the definitions it holds back.
      content:
        each.found.length === 0
          ? [{ type: 'text', text: 'No tool matches; try other words.' }]
          : each.found.map((tool) => ({ type: 'tool_reference', tool_name: advertisedName(tool, safeNaming) })),
    }
  const { result } = each
  return {
    ...head,
    content: contentOf(result),
    is_error: result.isError ? true : undefined,
  }
}

const contentOf = (result: ToolResult): readonly unknown[] => {
  const blocks = result.content.map(toContent).filter((block) => block !== undefined)
  // A structure alone is within MCP's words, and the model would see nothing of it.
  const text = blocks.length > 0 ? '' : textOf(result)
  return text === '' ? blocks : [{ type: 'text', text }]
}

const pictures = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

const toContent = (block: ContentBlock): unknown => {
  if (block.type === 'image' && pictures.has(String(block.mimeType)))
    return { type: 'image', source: { type: 'base64', media_type: block.mimeType, data: block.data } }
  const text = blockText(block)
  // An empty text block is refused there.
  return text === '' ? undefined : { type: 'text', text }
}
