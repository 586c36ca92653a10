import { advertisedName, safeNaming } from '../catalog/names.js'
import { toValue } from '../model/answer.js'
import { isRecord } from '../model/json.js'
import { resultAnswer } from '../model/result.js'
import { type Answered, type AskedCall, type ProviderDialect, textOf } from './dialect.js'

/** Gemini: a content with `functionCall` parts, a candidate or a whole response. */
export const gemini: ProviderDialect = {
  read: (message) => {
    const parts = partsOf(message)
    return parts
      ?.filter(isRecord)
      .filter((part) => isRecord(part.functionCall ?? part.function_call))
      .map((part) => toAsked((part.functionCall ?? part.function_call) as Record<string, unknown>))
  },
  answer: (answered) => (answered.length === 0 ? [] : [{ role: 'user', parts: answered.map(toPart) }]),
}

const partsOf = (message: unknown): readonly unknown[] | undefined => {
  if (!isRecord(message)) return undefined
  if (Array.isArray(message.parts)) return message.parts
  if (isRecord(message.content)) return partsOf(message.content)
  if (!Array.isArray(message.candidates)) return undefined
  return message.candidates.flatMap((candidate) => partsOf(candidate) ?? [])
}

const toAsked = ({ id, name, args }: Record<string, unknown>): AskedCall => ({
  id: typeof id === 'string' ? id : undefined,
  name: String(name ?? ''),
  args: args ?? {},
})

const toPart = (each: Answered): unknown => {
  const { id, name } = each.asked
  return { functionResponse: { id, name, response: responseOf(each) } }
}

/** It must be an object; `error` and `output` are the keys the provider reads. */
const responseOf = (each: Answered): unknown => {
  if ('found' in each) return { output: each.found.map((tool) => advertisedName(tool, safeNaming)) }
  if (each.result.isError) return { error: textOf(each.result) }
  return { output: toValue(resultAnswer(each.result)) ?? null }
}
