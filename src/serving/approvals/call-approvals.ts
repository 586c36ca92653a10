import type { ApprovalDoor } from '../../faces/mcp/asking/approval-question.js'
import type { Clock } from '../../model/clock.js'
import type { CallDesk } from '../../operations/call-approvals.js'
import type { GrantEvent } from '../../policy/grant-book.js'
import { LateApprovals } from '../../policy/late-approvals.js'
import type { Storage } from '../../storage/storage.js'
import { type Actor, type Deed, type Note, systemActor } from '../../telemetry/deed.js'
import type { Logger } from '../../telemetry/logger.js'
import type { CurrentConfig } from '../current.js'
import type { CallDeskParts } from './call-desk.js'

/** What is known of approvers and secrets where something listens. */
export interface ApproverFacts {
  /** Takes known secrets out of what is shown. Default: nothing is known to be one. */
  readonly clean?: ((text: string) => string) | undefined
  /** Whether the word of this approver still counts: their key may have been revoked. Default: it does. */
  readonly stillApproves?: ((id: string) => boolean) | undefined
}

export interface CallApprovalsAround extends ApproverFacts {
  readonly current: CurrentConfig
  readonly storage: Pick<Storage, 'shared'>
  readonly clock: Clock
  readonly logger: Logger
  readonly note: Note
}

/** Who answers by a link and is asked for nothing more: whoever holds it. */
export const linkApprover = 'webhook-link'

/** Where requests about calls and their answers lie. */
export const grantsKind = 'call-grants'

/** What people are asked about calls, kept with everything else; every step of it is in the trail. */
export const openCallApprovals = (around: CallApprovalsAround): LateApprovals => {
  const { current, storage, clock, logger, note } = around
  const approvals = new LateApprovals({
    documents: () => storage.shared(grantsKind),
    clock,
    logger,
    isReachable: true,
    stillCounts: around.stillApproves,
    keepArguments: current.reading(['approvals.keepArguments'], (now) => now.approvals.keepArguments),
  })
  approvals.onEvent((event) => note(deedOf(event)))
  return approvals
}

/** For the MCP face: what it shows to whoever sits at a client, and where it waits. */
export const callDoor = (
  approvals: LateApprovals,
  { clean = (text) => text }: ApproverFacts,
): Omit<ApprovalDoor, 'page'> => {
  const desk = lateCallDesk({ approvals, clean })
  return {
    find: desk.find,
    answer: desk.answer,
    settled: (...asked) => approvals.settled(...asked),
    withdraw: (id) => approvals.withdraw(id),
  }
}

/** The desk, loaded by the first who asks it: most gateways have no rule that asks. */
export const lateCallDesk = (parts: CallDeskParts): CallDesk => {
  const open = async (): Promise<CallDesk> => (await import('./call-desk.js')).createCallDesk(parts)
  return {
    list: async (viewer) => (await open()).list(viewer),
    find: async (id, viewer) => (await open()).find(id, viewer),
    answer: async (id, answer, by) => (await open()).answer(id, answer, by),
  }
}

/** A step as a line of the trail: which request, of which tool and by which rules, bound to what; never what was sent. */
export const deedOf = ({ type, grant }: GrantEvent): Deed => ({
  kind: 'approval',
  action: type,
  actor: actorIn(type, grant),
  on: { type: 'call', id: grant.id },
  profile: grant.profile,
  outcome: type === 'denied' || type === 'expired' ? 'refused' : 'ok',
  run: grant.run,
  before: `${grant.tool} ${grant.rules.join(',')}`,
  after: grant.binding,
})

const actorIn = (type: GrantEvent['type'], { caller, answeredBy, callerName }: GrantEvent['grant']): Actor => {
  if (type === 'expired') return systemActor
  if (type === 'granted' || type === 'denied') return actorNamed(answeredBy ?? 'unknown', undefined)
  return actorNamed(caller, callerName)
}

const actorNamed = (id: string, name: string | undefined): Actor =>
  id === linkApprover ? { id, type: 'anonymous', via: 'webhook' } : { id, type: typeOf(id), name }

const typeOf = (id: string): Actor['type'] => {
  if (id === 'local' || id.startsWith('local:')) return 'local'
  if (id === 'anonymous') return 'anonymous'
  return id.startsWith('person:') ? 'person' : 'key'
}
