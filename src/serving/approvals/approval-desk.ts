import type { Reviewed } from '../../catalog/reviewed.js'
import { GatewayError } from '../../errors.js'
import type { ApprovalDesk, ApprovalRow, Decisions } from '../../faces/admin/approvals.js'
import type { Gateway } from '../../gateway.js'
import type { JsonObject } from '../../model/json.js'
import { compareDefinitions } from '../../schema/definition-change.js'
import { shownDefinition } from '../../schema/definition-hash.js'
import type { HeldBack } from '../view.js'
import type { Reviewing } from './reviewing.js'

export interface ApprovalParts {
  readonly gateway: Gateway
  readonly reviewing: Reviewing
}

const shownNotes = 100

/** What changed since somebody looked, and the decisions about it: the same for the console and the command line. */
export const createApprovalDesk = ({ gateway, reviewing }: ApprovalParts): ApprovalDesk => {
  const { approvals, lock, fourEyes } = reviewing
  const held = (): readonly Reviewed[] => [...reviewing.heldTools(), ...reviewing.heldWords()]
  const decide = async (asked: Decisions, settle: (tool: Reviewed) => Promise<void>): Promise<readonly string[]> => {
    if (!approvals.canDecide)
      throw new GatewayError(
        'STORE_UNREADABLE',
        'Nothing can be decided here: what is remembered belongs to another process, or cannot be read. Ask that one.',
      )
    const chosen = await choosing(held, asked, gateway)
    // What the operator keeps under version control speaks before a click.
    if (chosen.some(lock.speaksOf))
      throw new GatewayError('TOOL_CONFLICT', 'A lock file holds these back; approve them there: pegboard lock approve')
    for (const tool of chosen) await settle(tool)
    return chosen.map(({ id }) => id)
  }

  return {
    get canDecide() {
      return approvals.canDecide
    },
    lockFile: () => (lock.isPresent ? lock.file : undefined),
    list: () => held().map((item) => toRow(item, reviewing)),
    waiting: () => held().filter((item) => approvals.standingOf(item).state === 'pending').length,
    noted: () =>
      gateway.catalog
        .snapshot()
        .tools.flatMap(({ id, source, name, definition }) =>
          (approvals.recordOf({ id, source, name, definition })?.noted ?? []).map((note) => ({ id, source, ...note })),
        )
        .sort((a, b) => b.at - a.at)
        .slice(0, shownNotes),
    approve: async (asked, by) => {
      const ids = await decide(asked, async (tool) => {
        await fourEyes.check(tool.source, by)
        await approvals.approve(tool, by.name)
      })
      reviewing.reconsider('held')
      return ids
    },
    reject: (asked, by) => decide(asked, (tool) => approvals.reject(tool, by.name)),
  }
}

/** The same in short, for whoever only says that something waits. */
export const heldBackOf = (parts: ApprovalParts): HeldBack => {
  const desk = createApprovalDesk(parts)
  return {
    rows: desk.list().map(({ id, source, state, kind, why }) => ({ id, source, state, kind, why })),
    lockFile: desk.lockFile(),
  }
}

/** Once more where it was refused and others have written since: what waits may have been seen at another replica. */
const choosing = async (
  held: () => readonly Reviewed[],
  asked: Decisions,
  { catalog }: Gateway,
): Promise<readonly Reviewed[]> => {
  try {
    return choose(held(), asked)
  } catch (error) {
    const looking = catalog.lookAround()
    if (!looking) throw error
    await looking
    return choose(held(), asked)
  }
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

const toRow = (item: Reviewed, { approvals, lock }: Reviewing): ApprovalRow => {
  const { why, approved, change, state, rejected, hash, findings } = approvals.standingOf(item)
  const pin = lock.pinOf(item)
  const was = pin?.definition ?? approved?.definition
  return {
    id: item.id,
    source: item.source,
    kind: item.kind ?? 'tool',
    why: lock.speaksOf(item) ? (pin ? 'change' : 'newcomer') : why,
    state,
    hash,
    before: was && (shownDefinition(was).value as JsonObject),
    after: shownDefinition(item.definition).value as JsonObject,
    changes: (pin ? compareDefinitions(pin.definition, item.definition) : change).changes.slice(0, 100),
    findings: findings.slice(0, mostFindings),
    approvedAt: approved?.at,
    approvedBy: pin ? lock.file : approved?.by,
    rejectedAt: rejected?.at,
    rejectedBy: rejected?.by,
  }
}

const mostFindings = 20
