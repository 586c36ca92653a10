import type { Catalog } from '../../catalog/catalog.js'
import { GatewayError } from '../../errors.js'
import type { Tool } from '../../model/tool.js'
import type { Policy } from '../../policy/policy.js'
import type { Step } from '../compose.js'

/** A name → a tool this caller can see. `tellHeld` says what an operator does about one that is held back. */
export const resolve =
  (catalog: Pick<Catalog, 'find' | 'findHeld'>, policy: Policy, tellHeld: (tool: Tool) => string): Step =>
  (next) =>
  (passage) => {
    const { tool: name, caller } = passage.call
    const tool = catalog.find(name)
    // Hidden and absent answer alike, or the refusal itself would tell the caller that the tool exists.
    const sees = (each: Tool): boolean => policy.decide(caller, each, 'see').allowed
    if (!tool || !sees(tool)) {
      const held = tool ? undefined : catalog.findHeld(name)
      throw held && sees(held) ? toolHeld(held, tellHeld(held)) : toolNotFound(name)
    }
    passage.tool = tool
    return next(passage)
  }

/** Who could see it may know why it is gone (U3). */
const toolHeld = ({ id }: Tool, next: string): GatewayError =>
  new GatewayError('TOOL_HELD', `'${id}' is held back: ${next}`, { details: { tool: id }, notSent: true })

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
