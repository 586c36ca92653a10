import { GatewayError, isGatewayError } from '../../errors.js'
import { notFound } from '../../http/http-error.js'
import type { Caller } from '../../model/caller.js'
import { isRunId } from '../../model/run-id.js'
import type { CallAnswerBody, CallApprovalRow, CallDesk, CallRunAnswer } from '../../operations/call-approvals.js'
import type { Approver, GrantDecision } from '../../policy/grant-answers.js'
import { isCut } from '../../policy/grant-arguments.js'
import { answerRun, type RunAnswer } from '../../policy/grant-runs.js'
import type { CallGrant } from '../../policy/grants.js'
import type { CallAnswers } from '../../policy/late-approvals.js'
import { shownArguments } from './shown-arguments.js'

export interface CallDeskParts {
  readonly approvals: CallAnswers
  /** Takes known secrets out of what is shown. */
  readonly clean: (text: string) => string
  /** What people call a caller, where it is a key. */
  readonly nameOf?: ((caller: string) => Promise<string | undefined>) | undefined
}

/** What is asked about single calls, and the answers: the same for the console, the command line and REST. */
export const createCallDesk = ({ approvals, clean, nameOf }: CallDeskParts): CallDesk => {
  const toRow = async (grant: CallGrant, viewer: Caller): Promise<CallApprovalRow> => {
    const mayAnswer = viewer.rights.includes('approve') || viewer.id === grant.caller
    const { args, state, tool } = grant
    const isShown = mayAnswer && state === 'asked'
    const last = isShown ? await approvals.lastGranted(tool) : undefined
    return {
      ...factsOf(grant),
      callerName: grant.callerName ?? (await nameOf?.(grant.caller)),
      arguments: isShown && args !== undefined ? shownArguments(args, clean, grant.secretArguments) : undefined,
      isCut: isCut(grant) ? true : undefined,
      lastArguments: last === undefined ? undefined : shownArguments(last, clean, grant.secretArguments),
    }
  }
  const found = async (id: string, viewer: Caller): Promise<CallGrant | undefined> => {
    const grant = await approvals.find(id)
    // Of others it is told to those who look or answer; to everybody else it is not there.
    const mayKnow = grant?.caller === viewer.id || viewer.rights.includes('approve') || viewer.rights.includes('look')
    return mayKnow ? grant : undefined
  }
  const toRunAnswer = async ({ run, answered, refused }: RunAnswer, viewer: Caller): Promise<CallRunAnswer> => ({
    run,
    answered: await Promise.all(answered.map((grant) => toRow(grant, viewer))),
    refused: refused.map(({ grant: { id, tool }, error: { code, message } }) => ({ id, tool, code, message })),
  })
  return {
    list: async (viewer) => {
      const all = await approvals.list()
      const isStaff = viewer.rights.includes('approve') || viewer.rights.includes('look')
      const seen = isStaff ? all : all.filter(({ caller }) => caller === viewer.id)
      return Promise.all(seen.slice(0, mostShown).map((grant) => toRow(grant, viewer)))
    },
    find: async (id, viewer) => {
      const grant = await found(id, viewer)
      return grant && toRow(grant, viewer)
    },
    answer: async (id, answer, by) => {
      const said = { ...decisionOf(answer), note: answer.note, by: approverOf(by) }
      if (isRunId(id)) return toRunAnswer(await answerRun(approvals, id, said, answer.ids).catch(asNotFound), by)
      if (!(await found(id, by))) throw notFound(noSuch)
      return toRow(await approvals.answer(id, said), by)
    },
  }
}

/** Whoever has shown who they are, as the one who answers. */
export const approverOf = ({ id, name, identity }: Caller): Approver => ({
  id,
  person: identity?.id,
  name: identity?.name ?? name,
})

const mostShown = 500
const noSuch = 'There is no such request for approval; it may be too old.'

const asNotFound = (error: unknown): never => {
  throw isGatewayError(error) && error.code === 'NOT_OFFERED' ? notFound(noSuch) : error
}

const decisionOf = ({ decision, forMs }: CallAnswerBody): GrantDecision => {
  if (decision !== 'for') return { decision }
  if (forMs === undefined)
    throw new GatewayError('ARGUMENTS_INVALID', 'Say for how long: `forMs`, at least a second and at most an hour.')
  return { decision, forMs }
}

const factsOf = ({ terms, argsBytes, ...grant }: CallGrant): CallApprovalRow => ({
  id: grant.id,
  state: grant.state,
  tool: grant.tool,
  title: grant.title,
  run: grant.run,
  caller: grant.caller,
  profile: grant.profile,
  rules: grant.rules,
  reason: grant.reason,
  by: terms.by,
  remember: terms.remember,
  askedAt: grant.askedAt,
  expiresAt: grant.expiresAt,
  argumentBytes: argsBytes,
  uses: grant.uses,
  answeredAt: grant.answeredAt,
  answeredBy: grant.answeredBy,
  note: grant.note,
  holds: grant.holds,
})
