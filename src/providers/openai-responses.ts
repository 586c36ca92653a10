import { toProviderTools } from '../catalog/provider-tools.js'
import { isRecord } from '../model/json.js'
import type { ContentBlock, ToolResult } from '../model/result.js'
import { type Answered, type AskedCall, blockText, type ProviderDialect, parseArguments, textOf } from './dialect.js'

/** OpenAI's Responses: a response, its output, or single items of it. */
export const openAiResponses: ProviderDialect = {
  read: (message) => {
    const items = itemsOf(message)
    return items?.filter((item) => calls.has(String(item.type))).map(toAsked)
  },
  answer: (answered) => answered.map(toItem),
}

const calls = new Set(['function_call', 'tool_search_call'])

const itemsOf = (message: unknown): readonly Record<string, unknown>[] | undefined => {
  const list = isRecord(message)
    ? (message.output ?? (calls.has(String(message.type)) ? [message] : undefined))
    : message
  if (!Array.isArray(list)) return undefined
  const items = list.filter(isRecord)
  return items.some(({ type }) => calls.has(String(type))) || isRecord(message) ? items : undefined
}

const toAsked = (item: Record<string, unknown>): AskedCall => ({
  id: typeof item.call_id === 'string' ? item.call_id : undefined,
  name: String(item.name ?? ''),
  ...parseArguments(item.arguments),
  search: item.type === 'tool_search_call' ? true : undefined,
})

const toItem = (each: Answered): unknown => {
  const call_id = each.asked.id ?? ''
  if ('result' in each) return { type: 'function_call_output', call_id, output: outputOf(each.result) }
  const tools = toProviderTools(each.found, 'openai-responses').tools.map((tool) => ({
    ...(tool as object),
    defer_loading: true,
  }))
  return { type: 'tool_search_output', call_id, execution: 'client', status: 'completed', tools }
}

/** Text where that is all there is; pictures go beside it as data. */
const outputOf = (result: ToolResult): unknown => {
  if (!result.content.some(({ type }) => type === 'image')) return textOf(result)
  return result.content.map((block) =>
    block.type === 'image'
      ? { type: 'input_image', image_url: dataUrl(block) }
      : { type: 'input_text', text: blockText(block) },
  )
}

const dataUrl = ({ mimeType, data }: ContentBlock): string => `data:${String(mimeType)};base64,${String(data)}`
