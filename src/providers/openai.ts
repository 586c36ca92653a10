import { advertisedName, safeNaming } from '../catalog/names.js'
import { isRecord } from '../model/json.js'
import { type AskedCall, foundText, type ProviderDialect, parseArguments, textOf } from './dialect.js'

/** OpenAI's Chat Completions: an assistant message, a choice or a whole completion. */
export const openAi: ProviderDialect = {
  read: (message) => {
    const calls = toolCallsOf(message)
    return calls?.map(toAsked)
  },
  answer: (answered) =>
    answered.map((each) => ({
      role: 'tool',
      tool_call_id: each.asked.id ?? '',
      content:
        'result' in each
          ? textOf(each.result)
          : foundText(each.found.map((tool) => ({ name: advertisedName(tool, safeNaming) }))),
    })),
}

const toolCallsOf = (message: unknown): readonly unknown[] | undefined => {
  if (!isRecord(message)) return undefined
  if (Array.isArray(message.tool_calls)) return message.tool_calls
  if (isRecord(message.message)) return toolCallsOf(message.message)
  // The last message of a conversation asks for nothing, and a loop that sends it on should simply end.
  if (message.role === 'assistant' && !Array.isArray(message.content)) return []
  if (!Array.isArray(message.choices)) return undefined
  return message.choices.flatMap((choice) => toolCallsOf(choice) ?? [])
}

const toAsked = (call: unknown): AskedCall => {
  const { id, function: asked } = isRecord(call) ? call : {}
  const { name, arguments: args } = isRecord(asked) ? asked : {}
  return { id: typeof id === 'string' ? id : undefined, name: String(name ?? ''), ...parseArguments(args) }
}
