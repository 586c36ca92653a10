import type { Catalog } from '../../catalog/catalog.js'
import { GatewayError } from '../../errors.js'
import type { Policy } from '../../policy/policy.js'
import type { Step } from '../compose.js'

/** A name → a tool this caller can see. */
export const resolve =
  (catalog: Pick<Catalog, 'find'>, policy: Policy): Step =>
  (next) =>
  (passage) => {
    const tool = catalog.find(passage.call.tool)
    // Hidden and absent answer alike, or the refusal itself would tell the caller that the tool exists.
    if (!tool || !policy.decide(passage.call.caller, tool, 'see').allowed) throw toolNotFound(passage.call.tool)
    passage.tool = tool
    return next(passage)
  }

export const toolNotFound = (name: string): GatewayError =>
  new GatewayError('TOOL_NOT_FOUND', `Tool not found: ${shown(name)}. List or search the tools to see their names.`, {
    details: { tool: shown(name) },
    notSent: true,
  })

// The name comes from the caller and may be anything: shown short and on one line.
const shown = (name: unknown): string => {
  const text = String(name)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal.
  return (text.length > 120 ? `${text.slice(0, 120)}…` : text).replace(/[\u0000-\u001f\u007f-\u009f]/g, '�')
}
