import type { Caller } from '../model/caller.js'
import { choice, closed, flag, integer, list, of, shape, text, type ValueOf } from './shape.js'

/** A call that a rule asks a person about, and what became of it. */
export const callApprovalRow = shape(
  {
    id: text(),
    /** `granted`: somebody said yes and the call was not sent again yet. */
    state: choice(['asked', 'granted', 'denied', 'spent', 'expired']),
    tool: text(),
    caller: text(),
    profile: text(),
    rules: list(text()),
    /** Who may answer. */
    by: list(choice(['operator', 'caller'])),
    /** For how long a yes may hold. */
    remember: list(choice(['once', 'minutes', 'always'])),
    askedAt: integer(),
    expiresAt: integer(),
    argumentBytes: integer(),
    /** How many calls it let pass. */
    uses: integer(),
  },
  {
    title: text(),
    /** The script that made the call: what one asks for can be answered together, by this id. */
    run: text(),
    callerName: text(),
    /** What the operator wrote beside the rule. */
    reason: text(),
    /** Canonical JSON, secrets masked, nothing hidden; only while it is open, and for those who may answer. */
    arguments: text(),
    /** Only the beginning of the arguments is here. */
    isCut: flag(),
    /** The arguments of the last call of this tool to which somebody said yes here. */
    lastArguments: text(),
    answeredAt: integer(),
    answeredBy: text(),
    note: text(),
    holds: choice(['once', 'minutes', 'always']),
  },
)

export const askedIds = list(text({ maxLength: 64 }), { maxItems: 200 })

export const callAnswer = closed(
  {
    decision: choice(['once', 'for', 'always', 'deny']),
    forMs: integer({ minimum: 1000, maximum: 3_600_000 }),
    note: text({ maxLength: 500 }),
    /** Of a whole run: only these requests, which were looked at. */
    ids: askedIds,
  },
  ['decision'],
)

/** What became of an answer to everything that one script asks for. */
export const callRunAnswer = shape({
  run: text(),
  answered: list(callApprovalRow),
  /** Those to which it could not be given, and why. */
  refused: list(shape({ id: text(), tool: text(), code: text(), message: text() })),
})

/** To one request, or to all of a script's. */
export const callAnswered = of<CallApprovalRow | CallRunAnswer>({ anyOf: [callApprovalRow, callRunAnswer] })

export type CallRunAnswer = ValueOf<typeof callRunAnswer>
export type CallApprovalRow = ValueOf<typeof callApprovalRow>
export type CallAnswerBody = ValueOf<typeof callAnswer>

/** Who is asked about single calls. */
export interface CallDesk {
  /** Arguments only for those who may answer. */
  list(viewer: Caller): Promise<readonly CallApprovalRow[]>
  find(id: string, viewer: Caller): Promise<CallApprovalRow | undefined>
  /** To one request, or by the id of a script's run to all that it asks for. */
  answer(id: string, answer: CallAnswerBody, by: Caller): Promise<CallApprovalRow | CallRunAnswer>
}
