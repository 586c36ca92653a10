import { randomUUID } from 'node:crypto'
import type { GatewayError } from '../../../errors.js'
import { notificationText } from '../../../mcp/message.js'
import { missingCapability } from '../../../mcp/questions.js'
import type { Question } from '../../../model/asking.js'
import { Cancel, type CancelSignal, eitherOf } from '../../../model/cancel.js'
import type { JsonObject } from '../../../model/json.js'
import type { Outcome } from '../../../model/outcome.js'
import type { CallApprovalRow, CallDesk } from '../../../operations/call-approvals.js'
import type { Exchange } from '../exchange.js'
import type { Talk } from './talk.js'

/** Where calls are asked about, answered and waited for. */
export interface ApprovalDoor extends Pick<CallDesk, 'find' | 'answer'> {
  /** Resolves when it is answered or over, when that much time has passed, or when the caller leaves. */
  settled(id: string, waitMs: number, signal?: CancelSignal): Promise<{ readonly state: string } | undefined>
  /** Its caller wants it no more: nobody has to answer it. */
  withdraw(id: string): Promise<void>
  /**
   * Where somebody sees this request and answers it, once they have shown that they may: whoever holds the address alone has
   * nothing. Undefined where the caller's browser cannot reach us.
   */
  page(id: string): string | undefined
}

export interface ApprovalQuestion {
  readonly door: ApprovalDoor
  readonly exchange: Exchange
  readonly talk: Talk
  /** The same call once more: it spends the yes, or learns of the no. */
  again(): Promise<Outcome>
  /** The call as a task that its client comes back for. Missing for clients that know of none; undefined where there is no room. */
  readonly asTask?: ((refused: GatewayError) => Promise<BegunTask | undefined>) | undefined
}

/** What a client is told of a call that has become a task. */
export interface BegunTask {
  readonly task: JsonObject
}

// Between two signs of life; clients that hear nothing for longer give up.
const progressMs = 5000

/**
 * What can be done for a client whose call waits for a yes: where the rule lets the caller say it, they are asked in the way
 * of their era; else the call becomes a task, for clients that know them, or the request waits a while for an operator, to
 * whose page a client is sent that opens pages. Without an answer the refusal goes out as it is.
 */
export const askForApproval = async (
  question: ApprovalQuestion,
  refused: GatewayError,
): Promise<Outcome | GatewayError | BegunTask> => {
  const { approval, by, waitMs } = refused.details ?? {}
  if (typeof approval !== 'string') return refused
  const form = Array.isArray(by) && by.includes('caller') ? await formFor(question, approval) : undefined
  if (form) return askCaller(question, approval, form, refused)
  const task = await question.asTask?.(refused)
  if (task) return task
  const mayWaitMs = typeof waitMs === 'number' ? waitMs : 0
  const wait: Wait = (asking, signal) => waitForOperator(asking, approval, mayWaitMs, refused, signal)
  const page =
    mayWaitMs > 0 && Array.isArray(by) && by.includes('operator') ? pageFor(question, approval, refused) : undefined
  if (!page) return wait(question, question.talk.signal)
  return question.exchange.sender.era === 'legacy'
    ? sendLegacy(question, page, wait)
    : sendModern(question, page, wait, refused)
}

type Wait = (question: ApprovalQuestion, signal: CancelSignal) => Promise<Outcome | GatewayError>

/** A modern client comes back once it has opened the page, or will not; only then somebody is there to wait. */
const sendModern = async (
  question: ApprovalQuestion,
  page: Question,
  wait: Wait,
  refused: GatewayError,
): Promise<Outcome | GatewayError> => {
  const { talk } = question
  const { action } = await talk.ask(page, talk.signal)
  // Not opened is no answer: the request stays open, and may be answered elsewhere.
  return action === 'accept' ? wait(question, talk.signal) : refused
}

/** A legacy client is there all the time: whoever is quicker ends it, the answer or a page that nobody wants to open. */
const sendLegacy = async (question: ApprovalQuestion, page: Question, wait: Wait): Promise<Outcome | GatewayError> => {
  const { exchange, talk, again } = question
  const elicitationId = randomUUID()
  const answered = new Cancel()
  const declined = new Cancel()
  const asked = { ...page, params: { ...page.params, elicitationId } }
  talk.ask(asked, eitherOf(talk.signal, answered)).then(
    ({ action }) => action !== 'accept' && declined.abort(undefined),
    // Nobody was asked: it waits as it would for any other client.
    () => {},
  )
  const tellAndGoOn = (): Promise<Outcome> => {
    answered.abort(undefined)
    exchange.session?.reach(notificationText('notifications/elicitation/complete', { elicitationId }))
    return again()
  }
  try {
    return await wait({ ...question, again: tellAndGoOn }, eitherOf(talk.signal, declined))
  } finally {
    answered.abort(undefined)
  }
}

const askCaller = async (
  { door, exchange, talk, again }: ApprovalQuestion,
  id: string,
  form: Question,
  refused: GatewayError,
): Promise<Outcome | GatewayError> => {
  const { action, content } = await talk.ask(form, talk.signal)
  // Closed without an answer: it stays open, and may be answered elsewhere.
  if (action !== 'accept' && action !== 'decline') return refused
  const isYes = action === 'accept' && (content as { readonly approve?: unknown } | undefined)?.approve === true
  await door.answer(
    id,
    isYes ? { decision: 'once' } : { decision: 'deny', note: 'declined at the client' },
    exchange.caller,
  )
  return again()
}

const waitForOperator = async (
  { door, talk, again }: ApprovalQuestion,
  id: string,
  waitMs: number,
  refused: GatewayError,
  signal: CancelSignal,
): Promise<Outcome | GatewayError> => {
  for (let waited = 0; waited < waitMs && !signal.aborted; waited += progressMs) {
    talk.onProgress?.({ progress: waited / 1000, total: waitMs / 1000, message: waitingWords })
    const grant = await door.settled(id, Math.min(progressMs, waitMs - waited), signal)
    if (grant === undefined || signal.aborted) return refused
    if (grant.state !== 'asked') return grant.state === 'expired' ? refused : again()
  }
  return refused
}

const waitingWords = 'waiting for approval by an operator / 正在等待管理员批准'

/** Undefined where the client does not open pages, or could not reach ours. */
const pageFor = ({ door, talk }: ApprovalQuestion, id: string, { details }: GatewayError): Question | undefined => {
  const url = door.page(id)
  if (url === undefined) return undefined
  const asked: Question = {
    method: 'elicitation/create',
    params: { mode: 'url', message: pageWords(String(details?.tool)), url },
  }
  return missingCapability(asked, talk.capabilities) ? undefined : asked
}

const pageWords = (tool: string): string =>
  `An operator has to approve this call of ${tool}. Open the page to sign in and answer, or send it to somebody who may; the call goes on after the yes. / 这次对 ${tool} 的调用需要管理员批准：打开页面登录后答复，或转给有权批准的人；批准后调用会继续。`

/** Undefined where the client does not fill in forms, or the request is gone. */
const formFor = async ({ door, exchange, talk }: ApprovalQuestion, id: string): Promise<Question | undefined> => {
  const row = await door.find(id, exchange.caller)
  if (row?.arguments === undefined) return undefined
  const asked: Question = {
    method: 'elicitation/create',
    params: {
      message: messageFor(row),
      requestedSchema: {
        type: 'object',
        properties: { approve: { type: 'boolean', title: 'Approve this call / 批准这次调用', default: false } },
        required: ['approve'],
      },
    },
  }
  return missingCapability(asked, talk.capabilities) ? undefined : asked
}

// A form shows so much; the rest is told by its length.
const mostShown = 2000

const messageFor = ({
  tool,
  title,
  reason,
  rules,
  arguments: args = '',
  argumentBytes,
  isCut,
}: CallApprovalRow): string => {
  const cut = isCut || args.length > mostShown ? ` … (${argumentBytes} bytes)` : ''
  return [
    `Approve exactly this call? / 批准这次调用？`,
    `${title === undefined ? '' : `${title}: `}${tool} ${args.slice(0, mostShown)}${cut}`,
    `Rule / 规则: ${rules.join(', ')}${reason === undefined ? '' : ` (${reason})`}`,
  ].join('\n')
}
