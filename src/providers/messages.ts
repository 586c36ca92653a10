import type { ProviderFormat } from '../catalog/provider-tools.js'
import type { Gateway } from '../gateway.js'
import { toToolResult } from '../model/answer.js'
import type { Call } from '../model/call.js'
import type { CancelSignal } from '../model/cancel.js'
import { isRecord } from '../model/json.js'
import { textResult } from '../model/result.js'
import type { Tool } from '../model/tool.js'
import { rows } from '../model/turn-pace.js'
import { dropAddedNulls } from '../schema/projections/strict-arguments.js'
import { anthropic } from './anthropic.js'
import type { Answered, AskedCall, ProviderDialect } from './dialect.js'
import { gemini } from './gemini.js'
import { openAi } from './openai.js'
import { openAiResponses } from './openai-responses.js'

/** Every provider under the name that its tool list has too. The order is that in which a message is tried. */
const dialects = {
  openai: openAi,
  anthropic,
  gemini,
  'openai-responses': openAiResponses,
} satisfies Partial<Record<ProviderFormat, ProviderDialect>>

/** Whose messages can be read and answered. */
export type MessageFormat = keyof typeof dialects

export const messageFormats = Object.keys(dialects) as readonly MessageFormat[]

/** A provider's message as we understand it. */
export interface ReadMessage {
  readonly format: MessageFormat
  /** In the order in which the model wrote them. */
  readonly calls: readonly AskedCall[]
}

/** The name under which a model searches tools whose definitions its provider holds back. */
export const searchToolName = 'search_tools'

/** Reads a message whole, or the part with the calls. Undefined: it is nobody's, or not of the format that was named. */
export const readMessage = (message: unknown, format?: MessageFormat): ReadMessage | undefined => {
  for (const name of format === undefined ? messageFormats : [format]) {
    const calls = dialects[name].read(message)
    if (calls) return { format: name, calls }
  }
  return undefined
}

export interface MessageSurroundings {
  readonly gateway: Pick<Gateway, 'resolve' | 'call' | 'search'>
  readonly caller: Call['caller']
  readonly signal?: CancelSignal | undefined
  /** A call as whoever asks wants it carried. */
  toCall(tool: string, args: unknown): Call
}

const atOnce = 16

/** Runs the calls of a message and gives what to append to the conversation. A call that failed is answered too. */
export const answerMessage = async (
  { format, calls }: ReadMessage,
  around: MessageSurroundings,
): Promise<readonly unknown[]> => {
  const answered = await inParallel(calls, atOnce, (asked) => answerOne(format, asked, around))
  return dialects[format].answer(answered)
}

const answerOne = async (format: MessageFormat, asked: AskedCall, around: MessageSurroundings): Promise<Answered> => {
  const { gateway, caller } = around
  if (asked.problem !== undefined) return { asked, result: textResult(asked.problem, { isError: true }) }
  const found = gateway.resolve(asked.name, caller)
  const { tool } = found
  if (isSearch(asked, tool, format)) return search(asked, around)
  // Strict modes make models write null for what they leave out; the tool's own schema decides what that means.
  const args = tool ? dropAddedNulls(asked.args, tool.definition.inputSchema) : asked.args
  const outcome = await gateway.call({ ...around.toCall(asked.name, args), found })
  // A refusal goes to the model as the tool's answer: it is the one who can correct the call.
  const result = outcome.ok ? toToolResult(outcome.answer) : textResult(outcome.error.message, { isError: true })
  return { asked, result }
}

/** Where the provider loads tools on demand, our search answers in its references; elsewhere the board's own tool does. */
const isSearch = ({ search: theirs, name }: AskedCall, tool: Tool | undefined, format: MessageFormat): boolean =>
  theirs === true || (name === searchToolName && (!tool || (tool.own === true && format === 'anthropic')))

const search = async (asked: AskedCall, { gateway, caller, signal }: MessageSurroundings): Promise<Answered> => {
  const { query, limit } = isRecord(asked.args) ? asked.args : {}
  if (typeof query !== 'string')
    return { asked, result: textResult('Say in `query` what the tool should do.', { isError: true }) }
  const most = typeof limit === 'number' && limit >= 1 && limit <= 20 ? Math.floor(limit) : 5
  const { results } = await gateway.search(query.slice(0, 10_000), { limit: most, signal }, caller)
  return { asked, found: results.map(({ tool }) => tool) }
}

/** Runs at most so many at a time, and no longer than a moment in one go; the results are in the order of the items. */
export const inParallel = async <T, R>(
  items: readonly T[],
  most: number,
  run: (item: T) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = new Array(items.length)
  let next = 0
  const work = async (): Promise<void> => {
    while (next < items.length) {
      if (rows.isSpent) await rows.rest()
      if (next >= items.length) return
      const at = next++
      const startedAt = performance.now()
      const answered = run(items[at]!)
      rows.worked(performance.now() - startedAt)
      results[at] = await answered
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, work))
  return results
}
