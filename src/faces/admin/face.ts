import type { Others } from '../../fleet/others.js'
import type { Gateway } from '../../gateway.js'
import type { HttpExchange, Route } from '../../http/route.js'
import type { Clock } from '../../model/clock.js'
import { withDeed } from '../../operations/deeds.js'
import { documentOperation } from '../../operations/openapi.js'
import type { Operation } from '../../operations/operation.js'
import { words } from '../../operations/shape.js'
import { toRoute } from '../../operations/to-route.js'
import type { CallHistory } from '../../telemetry/call-history.js'
import { adminPath } from './admin-operation.js'
import { approvalOperations } from './approvals.js'
import { auditOperations } from './audit.js'
import { callApprovalOperations } from './call-approvals.js'
import { type CallLog, createCallLog } from './call-log.js'
import { callOperations } from './calls.js'
import { clientOperations } from './clients.js'
import { effectOperations } from './effects.js'
import { createEvents, type EventFeeds } from './events.js'
import { fleetOperations } from './fleet.js'
import { historyOperations } from './history.js'
import { importOperations } from './imports.js'
import { keyOperations } from './keys.js'
import { meOperations } from './me.js'
import { offerOperations } from './offers.js'
import { overrideOperations } from './overrides.js'
import { overviewOperations } from './overview.js'
import { parkedOperations } from './parked.js'
import { peopleOperations } from './people.js'
import { profileOperations } from './profiles.js'
import { publishOperations } from './publish.js'
import { registryOperations } from './registry.js'
import { ruleOperations } from './rules.js'
import { scriptOperations } from './scripts.js'
import { searchOperations } from './search.js'
import { sessionOperations } from './session.js'
import { settingOperations } from './settings.js'
import { signInOperations } from './sign-ins.js'
import { sourceReadingOperations } from './source-reading.js'
import { sourceOperations } from './sources.js'
import { toolOperations } from './tools.js'
import { tryToolOperations } from './try-tool.js'

/** All of administration. What each part needs of the running gateway stands in its own file. */
const parts = [
  sessionOperations,
  peopleOperations,
  overviewOperations,
  sourceOperations,
  sourceReadingOperations,
  toolOperations,
  offerOperations,
  tryToolOperations,
  overrideOperations,
  searchOperations,
  scriptOperations,
  profileOperations,
  ruleOperations,
  callOperations,
  historyOperations,
  parkedOperations,
  signInOperations,
  approvalOperations,
  callApprovalOperations,
  effectOperations,
  keyOperations,
  meOperations,
  auditOperations,
  fleetOperations,
  settingOperations,
  importOperations,
  publishOperations,
  registryOperations,
  clientOperations,
] as const

interface Around {
  readonly log: CallLog
  readonly clock: Clock
  readonly others?: Others | undefined
}

type Needed = (typeof parts)[number] extends (board: infer Board, around: Around) => readonly Operation[]
  ? Board
  : never

/** What administration needs of a running gateway: what all its parts need together. */
export type AdminBoard = Needed & { readonly gateway: Gateway; readonly version: string }

export interface AdminFaceOptions {
  readonly board: AdminBoard
  readonly clock: Clock
  /** Takes secrets out of messages that are shown. */
  readonly clean: (text: string) => string
  /** Default: one of its own. */
  readonly history?: CallHistory | undefined
  /** The other replicas of a fleet, whose figures are shown with ours. Default: there are none. */
  readonly others?: Others | undefined
  /** What they tell while somebody looks. */
  readonly feeds?: EventFeeds | undefined
}

/** The board for its operator. Every route declares a right of operators, loopback included (T2). */
export interface AdminFace {
  readonly routes: readonly Route[]
  /** What happens here, for another replica whose console is looked at. */
  feed(exchange: HttpExchange): void
  close(): void
}

export const createAdminFace = ({ board, clock, clean, history, others, feeds }: AdminFaceOptions): AdminFace => {
  const log = createCallLog({ gateway: board.gateway, clock, clean, history })
  const events = createEvents({ board, log, clock, others, feeds })
  const declared = [...parts.flatMap((part) => part(board, { log, clock, others })), events.operation]
  const operations = declared.map((each) => withDeed(each, board.audit.note))
  const document = documentOperation(
    { path: `${adminPath}/openapi.json`, right: 'look', tag: 'document' },
    { operations: () => operations, version: board.version, about },
  )
  return {
    routes: [...operations, document].map((each) => toRoute(each)),
    feed: events.feed,
    close: () => {
      events.close()
      log.close()
    },
  }
}

const about = words(
  'The gateway for its operator: what the console is made of.',
  '面向管理员的接口：控制台即由此构成。',
)
