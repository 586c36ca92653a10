import { GatewayError } from '../errors.js'
import { type CallGrant, type GrantTerms, linkHash, stateAt, withoutArguments } from './grants.js'

/** Who answers. */
export interface Approver {
  readonly id: string
  /** Who they are where somebody vouches for it: another key of theirs is theirs as well. */
  readonly person?: string | undefined
  /** For people to read. */
  readonly name?: string | undefined
}

export type GrantDecision =
  | { readonly decision: 'once' | 'always' | 'deny' }
  | { readonly decision: 'for'; readonly forMs: number }

export type GrantAnswer = GrantDecision & {
  readonly by: Approver
  readonly note?: string | undefined
  /** The link by which it is answered: it counts for its own request, while that is open, and once. Default: by none. */
  readonly link?: string | undefined
}

export const mostMinutesMs = 60 * 60_000
const mostNoteChars = 500

/** Why this answer cannot be given to that request by them; undefined where it can. */
export const answerProblem = (grant: CallGrant, answer: GrantAnswer): GatewayError | undefined => {
  const { by, decision, note } = answer
  if (note !== undefined && note.length > mostNoteChars)
    return new GatewayError('ARGUMENTS_INVALID', `A note has at most ${mostNoteChars} characters.`)
  if (isTheirOwn(grant, by) && !grant.terms.by.includes('caller'))
    return new GatewayError(
      'ACCESS_DENIED',
      'Nobody approves their own call. Somebody else with the right `approve` has to, unless the rule says `by: [caller]`.',
      { details: { approval: grant.id } },
    )
  if (decision === 'deny' || grant.state !== 'asked') return undefined
  if (grant.args === undefined)
    return new GatewayError(
      'CONFIG_CONFLICT',
      'Its arguments were kept in the memory of another process (`approvals.keepArguments: false`), so nobody can see what they would approve. Let the call be made again.',
      { details: { approval: grant.id } },
    )
  return rememberProblem(grant, answer)
}

/** By id, or by whoever stands behind two keys. */
const isTheirOwn = ({ caller, person }: CallGrant, by: Approver): boolean =>
  by.id === caller || (person !== undefined && by.person === person)

const rememberProblem = ({ id, rules, terms }: CallGrant, answer: GrantAnswer): GatewayError | undefined => {
  const details = { approval: id, rule: rules[0] }
  if (answer.decision === 'always' && !terms.remember.includes('always'))
    return new GatewayError('ARGUMENTS_INVALID', 'Its rule lets nobody say yes for always (`remember`).', { details })
  if (answer.decision !== 'for') return undefined
  if (!terms.remember.includes('minutes'))
    return new GatewayError(
      'ARGUMENTS_INVALID',
      'Its rule lets nobody say yes for some minutes (`remember`): approve it once.',
      { details },
    )
  if (Number.isFinite(answer.forMs) && answer.forMs >= 1000 && answer.forMs <= mostMinutesMs) return undefined
  return new GatewayError('ARGUMENTS_INVALID', 'A yes holds for at least a second and at most 60 minutes.', { details })
}

/** Whether it can still be answered so: while it is open, and by a no as long as its yes was not used. */
export const canBeAnswered = (grant: CallGrant, { decision, link }: GrantAnswer, now: number): boolean => {
  const state = stateAt(grant, now)
  if (link !== undefined) return state === 'asked' && grant.link === linkHash(link)
  return state === 'asked' || (decision === 'deny' && state === 'granted')
}

/** The request with its answer; what was sent is not kept any longer. */
export const withAnswer = (known: CallGrant, answer: GrantAnswer, now: number): CallGrant => {
  const { decision, by, note } = answer
  const common = { ...withoutArguments(known), answeredAt: now, answeredBy: by.id, note }
  if (decision === 'deny') return { ...common, state: 'denied', expiresAt: now + known.terms.withinMs }
  if (decision === 'for') return { ...common, state: 'granted', holds: 'minutes', expiresAt: now + answer.forMs }
  return { ...common, state: 'granted', holds: decision, expiresAt: now + known.terms.withinMs }
}

export interface AskedFor {
  readonly id?: string | undefined
  readonly tool: string
  readonly rules: readonly string[]
  readonly terms: GrantTerms
  readonly expiresAt?: number | undefined
}

/** Asked, and not answered yet. */
export const approvalRequired = (asked: AskedFor, how = 'with the same arguments'): GatewayError => {
  const { id, tool, rules, terms, expiresAt } = asked
  const whom = terms.by.includes('operator') ? 'An operator' : 'Whoever sits at the client'
  return new GatewayError(
    'APPROVAL_REQUIRED',
    `${whom} has to approve this call of ${tool} (rule ${rules.join(', ')}). It was asked${id === undefined ? '' : ` as ${id}`} and nothing was sent; call again ${how} after they said yes.`,
    {
      details: {
        tool,
        approval: id,
        rule: rules[0],
        by: terms.by,
        waitMs: terms.waitMs,
        expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
      },
      notSent: true,
      retryAfterMs: 5_000,
    },
  )
}

/** Somebody said no. */
export const approvalDenied = (
  { id, tool, rules, note }: CallGrant,
  reason = note ?? 'somebody said no',
): GatewayError =>
  new GatewayError('APPROVAL_DENIED', `This call of ${tool} was not approved: ${reason}. Nothing was sent.`, {
    details: { tool, approval: id, rule: rules[0], reason },
    notSent: true,
  })

/** A caller, or all of them together, have as much open as anybody would read. */
export const tooManyOpen = (whose: 'caller' | 'all', most: number, tool: string): GatewayError =>
  new GatewayError(
    whose === 'caller' ? 'QUOTA_EXCEEDED' : 'OVERLOADED',
    `${most} calls ${whose === 'caller' ? 'of this caller' : 'in all'} wait for approval already, so this one of ${tool} was not asked about. Nothing was sent; wait until some are answered.`,
    { details: { tool, bound: 'approvals', most }, notSent: true, retryAfterMs: 30_000 },
  )

export const noSuchApproval = (id: string): GatewayError =>
  new GatewayError('NOT_OFFERED', `There is no request for approval '${id.slice(0, 64)}'; it may be too old.`)

export const tooLate = ({ id, state }: CallGrant): GatewayError =>
  new GatewayError(
    'CONFIG_CONFLICT',
    `The request ${id} is no longer open (${state}): somebody has answered it, or its time is up.`,
    { details: { approval: id } },
  )
