import { formatDiff, lineDiff } from '../../clients/line-diff.js'
import type { ToolDefinition } from '../../model/tool.js'
import { shownDefinition } from '../../schema/definition-hash.js'
import { plainText } from '../../telemetry/plain-text.js'

/** What changed of a definition, line by line, the order of keys left out of it. A server wrote these words: no terminal obeys them. */
export const definitionDiff = (was: ToolDefinition | undefined, is: ToolDefinition): string =>
  shownDiff(was && shownDefinition(was).value, shownDefinition(is).value)

/** The same of two that are in one order already. */
export const shownDiff = (was: unknown, is: unknown): string => {
  const text = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2))
  return plainText(formatDiff(lineDiff(text(was), text(is)))).replace(/^/gm, '    ')
}
