import type { Operation } from '../../operations/operation.js'
import {
  anyObject,
  byName,
  choice,
  closed,
  flag,
  integer,
  list,
  shape,
  text,
  type ValueOf,
  words,
} from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'
import { type Decider, deciderOf, namesOfKeys } from './decider.js'
import type { KeyDesk } from './keys.js'
import type { SettingsDesk } from './settings.js'

const change = shape({ path: text(), kind: choice(['words', 'widening', 'other', 'opened', 'narrowing', 'cosmetic']) })

/** What the scanner saw; what it says of itself in both languages, and where. */
export const findingRow = shape({
  rule: text(),
  severity: choice(['low', 'medium', 'high']),
  place: text(),
  reason: shape({ en: text(), zh: text() }),
  excerpt: text(),
})

const approvalRow = shape(
  {
    id: text(),
    source: text(),
    /** `resource`: the resource is listed, without these words. */
    kind: choice(['tool', 'instructions', 'prompt', 'template', 'resource']),
    /** `newcomer`: it was not in the first report of its source. `finding`: the scanner saw something grave. */
    why: choice(['change', 'newcomer', 'finding', 'unreadable']),
    /** `rejected`: somebody said no to this very definition. */
    state: choice(['pending', 'rejected']),
    /** Names the definition that is decided about. */
    hash: text(),
    after: anyObject(),
    changes: list(change),
    findings: list(findingRow),
  },
  {
    /** Not there where nothing was ever approved of it. Keys are sorted, so that order is no difference. */
    before: anyObject(),
    approvedAt: integer(),
    approvedBy: text(),
    rejectedAt: integer(),
    rejectedBy: text(),
  },
)

const notedRow = shape({ id: text(), source: text(), at: integer(), changes: list(change) })

const decisions = closed(
  {
    ids: list(text(), { minItems: 1, maxItems: 1000 }),
    /** What was shown, by id: a decision about something else is refused. */
    hashes: byName(text(), { maxProperties: 1000 }),
  },
  ['ids'],
)

const approvalsAnswer = shape(
  { available: flag(), pending: list(approvalRow), noted: list(notedRow) },
  { config: text(), lockFile: text() },
)

/** A definition that is held back: what it was, what it is, and what that means. */
export type ApprovalRow = ValueOf<typeof approvalRow>
/** A change that nobody was asked about. */
export type NotedRow = ValueOf<typeof notedRow>
export type Decisions = ValueOf<typeof decisions>
export type ApprovalsAnswer = ValueOf<typeof approvalsAnswer>

/** One line for each, with the hash of what was decided about. */
const decided = ({ body }: { readonly body: Decisions }) =>
  body.ids.map((id) => ({ type: 'definition', id, after: body.hashes?.[id] }))

/** Who decides about definitions that changed. */
export interface ApprovalDesk {
  /** False where another process keeps what is remembered, or it cannot be read. */
  readonly canDecide: boolean
  /** The lock file in force, which speaks before any decision here. */
  lockFile(): string | undefined
  list(): readonly ApprovalRow[]
  /** How many wait for a decision: what was rejected has had one. */
  waiting(): number
  noted(): readonly NotedRow[]
  /** Answers with those that are usable now. */
  approve(asked: Decisions, by: Decider): Promise<readonly string[]>
  reject(asked: Decisions, by: Decider): Promise<readonly string[]>
}

interface ApprovalBoard {
  readonly approvals: ApprovalDesk
  readonly keys: KeyDesk
  readonly settings: SettingsDesk
}

/** Tools that changed since somebody looked at them: the difference, and the decision. */
export const approvalOperations = ({ approvals, keys, settings }: ApprovalBoard): readonly Operation[] => [
  adminOperation({
    id: 'listApprovals',
    method: 'GET',
    path: '/approvals',
    right: 'look',
    summary: words('Definitions that changed and wait for a decision', '已变化并等待决定的工具定义'),
    answer: approvalsAnswer,
    run: async () => {
      const named = await namesOfKeys(keys)
      return {
        available: approvals.canDecide,
        // Whoever asks from another project must not decide here.
        config: settings.report().file,
        lockFile: approvals.lockFile(),
        pending: approvals
          .list()
          .map((row) => ({ ...row, approvedBy: named(row.approvedBy), rejectedBy: named(row.rejectedBy) })),
        noted: approvals.noted(),
      }
    },
  }),
  adminOperation({
    id: 'approve',
    method: 'POST',
    path: '/approvals',
    right: 'approve',
    deed: { on: decided },
    summary: words('Approve definitions as they were shown', '批准所示的工具定义'),
    body: decisions,
    answer: shape({ approved: list(text()) }),
    run: async ({ body, caller }) => ({ approved: await approvals.approve(body, await deciderOf(keys, caller)) }),
  }),
  adminOperation({
    id: 'reject',
    method: 'POST',
    path: '/approvals/reject',
    right: 'approve',
    deed: { on: decided },
    summary: words('Reject definitions as they were shown', '拒绝所示的工具定义'),
    body: decisions,
    answer: shape({ rejected: list(text()) }),
    run: async ({ body, caller }) => ({ rejected: await approvals.reject(body, await deciderOf(keys, caller)) }),
  }),
]

export const waitingOf = ({ approvals }: Pick<ApprovalBoard, 'approvals'>): number => approvals.waiting()
