import {
  type CallAnswerBody,
  type CallDesk,
  callAnswer,
  callAnswered,
  callApprovalRow,
} from '../../operations/call-approvals.js'
import type { Operation } from '../../operations/operation.js'
import { list, shape, type ValueOf, words } from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'

const callsAnswer = shape({ calls: list(callApprovalRow) })

export type CallApprovalsAnswer = ValueOf<typeof callsAnswer>
export type { CallAnswerBody, CallApprovalRow, CallRunAnswer } from '../../operations/call-approvals.js'

/** Calls that wait until a person says yes. */
export const callApprovalOperations = ({ callDesk }: { readonly callDesk: CallDesk }): readonly Operation[] => [
  adminOperation({
    id: 'listCallApprovals',
    method: 'GET',
    path: '/approvals/calls',
    right: 'look',
    summary: words('Calls that a rule asks about, and the answers', '规则要求批准的调用及其答复'),
    answer: callsAnswer,
    run: async ({ caller }) => ({ calls: await callDesk.list(caller) }),
  }),
  adminOperation({
    id: 'answerCallApproval',
    method: 'POST',
    path: '/approvals/calls/:id',
    right: 'approve',
    summary: words('Say yes or no to one call, or to all of a script', '批准或拒绝一次调用，或一个脚本的全部调用'),
    params: { id: words('The request, or the run of a script', '申请的编号，或脚本运行的编号') },
    body: callAnswer,
    answer: callAnswered,
    deed: {
      action: 'answer',
      on: ({ params }) => ({ type: 'call', id: params.id ?? '' }),
      after: ({ body }) => (body as CallAnswerBody).decision,
    },
    run: ({ params, body, caller }) => callDesk.answer(params.id!, body, caller),
  }),
]
