import type { Approvals, Reviewed } from '../../catalog/approvals.js'
import { GatewayError } from '../../errors.js'
import type { ApprovalDesk, ApprovalRow, Decisions } from '../../faces/admin/approvals.js'
import type { Gateway } from '../../gateway.js'
import type { JsonObject } from '../../model/json.js'
import { compareDefinitions } from '../../schema/definition-change.js'
import { shownDefinition } from '../../schema/definition-hash.js'
import type { Lock } from '../lock-file.js'
import type { HeldBack } from '../view.js'
import { instructionTools } from './open-approvals.js'

export interface ApprovalParts {
  readonly gateway: Gateway
  readonly approvals: Approvals
  readonly lock: Lock
}

const shownNotes = 100

/** What changed since somebody looked, and the decisions about it: the same for the console and the command line. */
export const createApprovalDesk = ({ gateway, approvals, lock }: ApprovalParts): ApprovalDesk => {
  const held = (): readonly Reviewed[] => [
    ...gateway.catalog.held(),
    ...instructionTools(gateway).filter(approvals.isHeld),
  ]
  const decide = async (asked: Decisions, settle: (tool: Reviewed) => Promise<void>): Promise<readonly string[]> => {
    if (!approvals.canDecide)
      throw new GatewayError(
        'STORE_UNREADABLE',
        'Nothing can be decided here: what is remembered belongs to another process, or cannot be read. Ask that one.',
      )
    const chosen = choose(held(), asked)
    // What the operator keeps under version control speaks before a click.
    const locked = new Set(lock.isPresent ? gateway.catalog.held().map(({ id }) => id) : [])
    if (chosen.some(({ id }) => locked.has(id)))
      throw new GatewayError('TOOL_CONFLICT', 'A lock file holds these back; approve them there: pegboard lock approve')
    for (const tool of chosen) await settle(tool)
    return chosen.map(({ id }) => id)
  }

  return {
    get canDecide() {
      return approvals.canDecide
    },
    lockFile: () => (lock.isPresent ? lock.file : undefined),
    list: () => held().map((tool) => toRow(tool, approvals, lock)),
    noted: () =>
      gateway.catalog
        .snapshot()
        .tools.flatMap(({ id, source, name, definition }) =>
          (approvals.recordOf({ id, source, name, definition })?.noted ?? []).map((note) => ({ id, source, ...note })),
        )
        .sort((a, b) => b.at - a.at)
        .slice(0, shownNotes),
    approve: async (asked, by) => {
      const ids = await decide(asked, (tool) => approvals.approve(tool, by))
      for (const id of ids) gateway.catalog.reconsider(id)
      return ids
    },
    reject: (asked, by) => decide(asked, (tool) => approvals.reject(tool, by)),
  }
}

/** The same in short, for whoever only says that something waits. */
export const heldBackOf = (parts: ApprovalParts): HeldBack => {
  const desk = createApprovalDesk(parts)
  return { rows: desk.list().map(({ id, source, state }) => ({ id, source, state })), lockFile: desk.lockFile() }
}

/** What is asked for and was seen as it is now: nobody approves what changed while they looked. */
const choose = (held: readonly Reviewed[], { ids, hashes = {} }: Decisions): readonly Reviewed[] => {
  const byId = new Map(held.map((tool) => [tool.id, tool]))
  const found = ids.flatMap((id) => byId.get(id) ?? [])
  if (found.length === 0)
    throw new GatewayError('TOOL_NOT_FOUND', 'None of these tools waits for approval any more; look again.')
  const moved = found.find(
    ({ id, definition }) => Object.hasOwn(hashes, id) && hashes[id] !== shownDefinition(definition).hash,
  )
  if (moved)
    throw new GatewayError(
      'TOOL_CONFLICT',
      `'${moved.id}' has changed once more since it was shown; nothing was decided. Look again.`,
    )
  return found
}

const toRow = (tool: Reviewed, approvals: Approvals, lock: Lock): ApprovalRow => {
  const { approved, change, state, hash } = approvals.standingOf(tool)
  const pin = lock.pinOf(tool.id)
  const was = pin?.definition ?? approved?.definition
  return {
    id: tool.id,
    source: tool.source,
    state,
    hash,
    before: was && (shownDefinition(was).value as JsonObject),
    after: shownDefinition(tool.definition).value as JsonObject,
    changes: (pin ? compareDefinitions(pin.definition, tool.definition) : change).changes.slice(0, 100),
    approvedAt: approved?.at,
    approvedBy: pin ? lock.file : approved?.by,
    rejectedAt: state === 'rejected' ? approved?.rejected?.at : undefined,
    rejectedBy: state === 'rejected' ? approved?.rejected?.by : undefined,
  }
}
