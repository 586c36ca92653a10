import { messageOf } from '../../errors.js'
import type { ApprovalDoor } from '../../faces/mcp/asking/approval-question.js'
import type { CallDesk } from '../../operations/call-approvals.js'
import type { LateApprovals } from '../../policy/late-approvals.js'
import type { Metrics } from '../../telemetry/metrics.js'
import { isForOthers } from '../public-address.js'
import type { ApprovalMessages } from './approval-messages.js'
import { type CallApprovalsAround, callDoor, lateCallDesk, openCallApprovals } from './call-approvals.js'

/** Who is asked about calls, and how they are reached: by a message with a link, or by the page that a client is sent to. */
export interface Approvers {
  readonly approvals: LateApprovals
  /** For the MCP face. */
  readonly door: ApprovalDoor
  /** From now on browsers reach us. */
  listenAt(place: ReachedPlace): void
  close(): Promise<void>
}

export interface ReachedPlace {
  /** Where, as people are told it. */
  readonly base: () => string
  /** Which knows the names of keys as well. */
  readonly desk: CallDesk
}

export interface ApproversAround extends CallApprovalsAround {
  readonly metrics: Pick<Metrics, 'counter'>
}

/** Behind which whoever holds it may answer one request. */
export const linkPath = '/approve'

export const openApprovers = (around: ApproversAround): Approvers => {
  const { current, clock, metrics, clean = (text) => text } = around
  const logger = around.logger.child('approvals')
  const approvals = openCallApprovals(around)
  const settings = current.reading(['approvals.webhook'], (now) => now.approvals.webhook)
  const { host } = current.atStart.server
  // A page of this machine is of no use to whoever calls from another.
  const isReachable = current.reading(
    ['server.publicUrl', 'server.behindProxy'],
    ({ server }) => server.publicUrl !== undefined || !isForOthers({ ...server, host }),
  )
  let place: ReachedPlace | undefined
  let messages: Promise<ApprovalMessages> | undefined

  const open = async (): Promise<ApprovalMessages> => {
    const { ApprovalMessages } = await import('./approval-messages.js')
    const counter = metrics.counter(
      'pegboard_approval_messages_total',
      'Messages about calls that wait for approval, by what became of them.',
      ['outcome'],
    )
    return new ApprovalMessages({
      ...{ settings, clock, logger },
      look: (id) => (place?.desk ?? lateCallDesk({ approvals, clean })).find(id, reader),
      linkTo: async (id) => {
        const link = place && (await approvals.linkTo(id))
        return link && `${place?.base()}${linkPath}/${link}`
      },
      count: (outcome) => counter.add({ outcome }),
    })
  }
  const tell = async (id: string): Promise<void> => {
    messages ??= open()
    try {
      ;(await messages).take(id)
    } catch (error) {
      logger.log('error', messageOf(error))
    }
  }
  // Off the path of the call: by whichever process asked, and nobody else.
  approvals.onEvent(({ type, grant }) => {
    if (type === 'asked' && settings()) void tell(grant.id)
  })
  return {
    approvals,
    door: {
      ...callDoor(approvals, around),
      page: (id) => (place && isReachable() ? `${place.base()}/#/approvals/${encodeURIComponent(id)}` : undefined),
    },
    listenAt: (reached) => {
      place = reached
    },
    close: async () => (await messages?.catch(() => undefined))?.close(),
  }
}

/** Sees what approvers see, and answers nothing. */
const reader = { id: 'pegboard', rights: ['approve'] } as const
