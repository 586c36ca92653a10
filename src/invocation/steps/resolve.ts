import type { Catalog } from '../../catalog/catalog.js'
import { GatewayError } from '../../errors.js'
import type { Caller } from '../../model/caller.js'
import type { Tool } from '../../model/tool.js'
import type { Policy } from '../../policy/policy.js'
import type { Step } from '../compose.js'
import type { Finder } from '../finding.js'

/** What is done about a tool that is held back. */
export interface Held {
  readonly catalog: Pick<Catalog, 'findHeld'>
  readonly policy: Policy
  /** What an operator does about it. */
  readonly tell: (tool: Tool) => string
}

/** A name → a tool this caller can see. */
export const resolve =
  (finder: Finder, held: Held): Step =>
  (next) =>
  (passage) => {
    const found = finder.of(passage.call)
    const { tool } = found
    // Hidden and absent answer alike, or the refusal itself would tell the caller that the tool exists.
    if (!tool) {
      const { tool: name, caller } = passage.call
      throw (found.target ? undefined : heldBack(name, caller, held)) ?? toolNotFound(name)
    }
    passage.tool = tool
    passage.decision = found.decision
    return next(passage)
  }

/** Who could see it may know why it is gone (U3). */
const heldBack = (name: string, caller: Caller, { catalog, policy, tell }: Held): GatewayError | undefined => {
  const tool = catalog.findHeld(name)
  if (!tool || !policy.decide(caller, tool, 'see').allowed) return undefined
  return new GatewayError('TOOL_HELD', `'${tool.id}' is held back: ${tell(tool)}`, {
    details: { tool: tool.id },
    notSent: true,
  })
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
