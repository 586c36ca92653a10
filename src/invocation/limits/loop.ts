import { GatewayError } from '../../errors.js'
import type { CallLink } from '../../model/call.js'
import type { Passage } from '../passage.js'

/** One repetition can be a sound second try; a third of the same call inside itself is a loop. */
const sameCallsAllowed = 2

/** Ends tools that call tools without end (001-22): too deep a chain, or the same call again within itself. */
export const refuseLoops = ({ call, target, args }: Passage, maxDepth: number): void => {
  if (!call.parent) return
  if (call.parent.depth >= maxDepth)
    throw loop(target.id, `calls are nested ${call.parent.depth + 1} deep, the limit is ${maxDepth}`)
  let same = 0
  for (let link: CallLink | undefined = call.parent; link; link = link.parent)
    if (link.tool === target.id && sameArgs(link.args, args)) same += 1
  if (same >= sameCallsAllowed) throw loop(target.id, 'it was called with the same arguments by itself again and again')
}

const sameArgs = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  try {
    return JSON.stringify(a) === JSON.stringify(b)
  } catch {
    return false
  }
}

const loop = (tool: string, why: string): GatewayError =>
  new GatewayError('LOOP_DETECTED', `'${tool}' was refused to stop a loop of tool calls: ${why}.`, {
    details: { tool },
    notSent: true,
  })
