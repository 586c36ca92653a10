import type { Catalog } from '../../catalog/catalog.js'
import { GatewayError } from '../../errors.js'
import type { RequestKind } from '../../model/call.js'
import type { Caller } from '../../model/caller.js'
import type { Tool } from '../../model/tool.js'
import type { Policy } from '../../policy/policy.js'
import type { Finder, Finding } from '../finding.js'
import type { Passage, Step } from '../passage.js'

/** What is done about a tool that is held back. */
export interface Held {
  readonly catalog: Pick<Catalog, 'findHeld'>
  readonly policy: Policy
  /** What an operator does about it. */
  readonly tell: (tool: Tool) => string
}

/** A name or address → something this caller can see, of the kind that is asked for. */
export const resolve =
  (finder: Finder, held: Held): Step =>
  (next) =>
  (passage) => {
    const found = finder.of(passage.call)
    const { seen } = found
    // Hidden and absent answer alike, or the refusal itself would tell the caller that there is something.
    if (!seen) throw notFound(passage, found, held)
    passage.target = seen
    passage.decision = found.decision
    return next(passage)
  }

/** May they call what they can see? The policy was asked when it was found: one question, both answers. */
export const authorize: Step = (next) => (passage) => {
  const { decision, target } = passage
  if (decision.allowed) return next(passage)
  throw new GatewayError('ACCESS_DENIED', `'${target.id}' may not be called: ${decision.reason}.`, {
    details: { tool: target.id },
    notSent: true,
  })
}

const notFound = ({ kind, call }: Passage, { target }: Finding, held: Held): GatewayError => {
  if (kind !== 'tool') return notOffered(kind, call.tool)
  return (target ? undefined : heldBack(call.tool, call.caller, held)) ?? toolNotFound(call.tool)
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

export const notOffered = (kind: RequestKind, name: string): GatewayError =>
  new GatewayError(
    'NOT_OFFERED',
    `No source offers the ${whatIs[kind]} ${shown(name)}. List them to see what there is.`,
    {
      details: { kind, tool: shown(name) },
      notSent: true,
    },
  )

const whatIs: Readonly<Record<RequestKind, string>> = {
  tool: 'tool',
  prompt: 'prompt',
  resource: 'resource',
  completion: 'prompt or resource',
  other: 'method',
}

// The name comes from the caller and may be anything: shown short and on one line.
const shown = (name: unknown): string => {
  const text = String(name)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal.
  return (text.length > 120 ? `${text.slice(0, 120)}…` : text).replace(/[\u0000-\u001f\u007f-\u009f]/g, '�')
}
