import { callerLimits } from '../mcp/parse.js'
import { scanJson } from '../mcp/scan.js'
import type { ContentBlock, ToolResult } from '../model/result.js'
import type { Tool } from '../model/tool.js'

/** One call a model asked for, as its provider wrote it. */
export interface AskedCall {
  readonly id: string | undefined
  readonly name: string
  /** Parsed. Where the provider's text is no JSON object, `problem` says why. */
  readonly args: unknown
  readonly problem?: string | undefined
  /** The provider's own way to ask for tools, not a call of one. */
  readonly search?: boolean | undefined
}

/** What became of it: the tool's answer, or the tools a search found. */
export type Answered =
  | { readonly asked: AskedCall; readonly result: ToolResult }
  | { readonly asked: AskedCall; readonly found: readonly Tool[] }

/** How one provider writes tool calls and wants their results; how it wants the tools themselves, `toProviderTools` knows by the same name. */
export interface ProviderDialect {
  /** The calls in a message of this provider; undefined when it is not one of theirs. */
  read(message: unknown): readonly AskedCall[] | undefined
  /** What to append to the conversation. */
  answer(answered: readonly Answered[]): readonly unknown[]
}

/** Arguments that came as text. A model may write anything: what is not JSON is told back to it. */
export const parseArguments = (text: unknown): Pick<AskedCall, 'args' | 'problem'> => {
  if (typeof text !== 'string') return { args: text ?? {} }
  if (text.trim() === '') return { args: {} }
  // The same bounds as for arguments that come as they are: this text was one string to whoever read the message.
  if (scanJson(text, callerLimits)) return { args: undefined, problem: unreadable }
  try {
    return { args: JSON.parse(text) }
  } catch {
    return { args: undefined, problem: 'The arguments are not JSON; write them as one JSON object.' }
  }
}

const unreadable =
  'The arguments are nested too deeply, hold too many values or numbers too long, or name one member twice.'

/** All that a result says, for providers that take text only. */
export const textOf = ({ content, structuredContent }: ToolResult): string => {
  const texts = content.map(blockText).filter((text) => text !== '')
  if (texts.length > 0) return texts.join('\n')
  return structuredContent === undefined ? '' : JSON.stringify(structuredContent)
}

/** One block in words; what words cannot carry is named, so that the model knows it was there. */
export const blockText = (block: ContentBlock): string => {
  if (block.type === 'text') return block.text ?? ''
  if (block.type === 'resource_link') return `[${String(block.name ?? 'resource')}: ${String(block.uri ?? '')}]`
  const inner = block.resource as { readonly text?: unknown } | undefined
  if (block.type === 'resource' && typeof inner?.text === 'string') return inner.text
  return `[${block.type} left out: it cannot be sent as text]`
}

export const foundText = (tools: readonly { readonly name: string }[]): string =>
  tools.length === 0 ? 'No tool matches; try other words.' : `Found: ${tools.map(({ name }) => name).join(', ')}`
