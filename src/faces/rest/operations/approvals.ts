import { notFound } from '../../../http/http-error.js'
import { isRunId } from '../../../model/run-id.js'
import {
  askedIds,
  type CallAnswerBody,
  type CallApprovalRow,
  type CallDesk,
  callAnswered,
  callApprovalRow,
} from '../../../operations/call-approvals.js'
import { type Operation, operation } from '../../../operations/operation.js'
import { choice, closed, described, list, of, shape, text, type ValueOf, words } from '../../../operations/shape.js'

const path = '/api/v1/approvals'
const params = {
  id: words(
    'The request, as the refused call named it, or the run of a script (`r_…`)',
    '申请的编号，见被拒绝的调用；或脚本运行的编号（`r_…`）',
  ),
}

const ofRun = shape({ run: text(), approvals: list(callApprovalRow) })

const decision = closed(
  {
    decision: choice(['approve', 'deny']),
    for: described(
      text({ pattern: '^[0-9]{1,4}[sm]$' }),
      'How long a yes holds, `10m` or `90s`, where the rule allows that; default: for one call',
      '批准的有效时长，如 `10m` 或 `90s`（规则允许时）；默认只对一次调用有效',
    ),
    note: described(text({ maxLength: 500 }), 'For whoever asked', '给申请者的说明'),
    ids: described(
      askedIds,
      'Of a run: only these requests, which were looked at; default: all that are open',
      '对脚本运行：只答复这些看过的申请；默认答复全部未决申请',
    ),
  },
  ['decision'],
)

/** `/api/v1/approvals`: what was asked about calls, and the answers. Callers see their own; who has `approve` sees all, and answers. */
export const approvalsOfCalls = (desk: CallDesk): readonly Operation[] => [
  operation({
    id: 'listApprovals',
    method: 'GET',
    path,
    right: 'discover',
    tag: 'approvals',
    summary: words(
      'Calls that a rule asks about: your own, or with the right "approve" everybody’s',
      '规则要求批准的调用：自己的；有 "approve" 权限时为所有人的',
    ),
    answers: {
      200: {
        description: words('What waits for an answer first', '等待答复的在前'),
        schema: shape({ approvals: list(callApprovalRow) }),
      },
    },
    run: async ({ caller }) => ({ json: { approvals: await desk.list(caller) }, headers: noStore }),
  }),
  operation({
    id: 'getApproval',
    method: 'GET',
    path: `${path}/:id`,
    right: 'discover',
    tag: 'approvals',
    summary: words('How one request for approval stands', '查看一次批准申请的状态'),
    params,
    answers: {
      200: {
        description: words('Its state; of a run, all that it asks for', '申请的状态；对脚本运行为其全部申请'),
        schema: of<CallApprovalRow | ValueOf<typeof ofRun>>({ anyOf: [callApprovalRow, ofRun] }),
      },
    },
    run: async ({ caller, params: { id } }) => {
      const approvals = isRunId(id!) ? (await desk.list(caller)).filter(({ run }) => run === id) : []
      if (approvals.length > 0) return { json: { run: id!, approvals }, headers: noStore }
      const row = await desk.find(id!, caller)
      if (!row) throw notFound('There is no such request for approval; it may be too old.')
      return { json: row, headers: row.state === 'asked' ? { ...noStore, 'Retry-After': '5' } : noStore }
    },
  }),
  operation({
    id: 'answerApproval',
    method: 'POST',
    path: `${path}/:id`,
    right: 'approve',
    tag: 'approvals',
    summary: words('Say yes or no to one call, or to all of a script', '批准或拒绝一次调用，或一个脚本的全部调用'),
    params,
    body: decision,
    answers: {
      200: {
        description: words(
          'As it is now; of a run, what was answered and what could not be',
          '当前状态；对脚本运行为已答复与未能答复的申请',
        ),
        schema: callAnswered,
      },
    },
    run: async ({ caller, params: { id }, body }) => ({
      json: await desk.answer(id!, toAnswer(body), caller),
      headers: noStore,
    }),
  }),
]

const noStore = { 'Cache-Control': 'no-store' }

const toAnswer = ({ decision: said, for: lasting, ...more }: ValueOf<typeof decision>): CallAnswerBody => {
  if (said === 'deny') return { decision: 'deny', ...more }
  if (lasting === undefined) return { decision: 'once', ...more }
  const unit = lasting.endsWith('m') ? 60_000 : 1000
  return { decision: 'for', forMs: Number.parseInt(lasting, 10) * unit, ...more }
}
