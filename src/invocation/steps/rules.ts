import { GatewayError } from '../../errors.js'
import type { Target } from '../../model/call.js'
import type { CallApprovals, RuleVerdict } from '../../policy/call-rules.js'
import { defaultProfile, type Policy } from '../../policy/policy.js'
import { isPromise, type Passage, type Step } from '../passage.js'

/**
 * What an operator's rules say of this very call, by what it sends. Behind `validate`, so that they see what the tool will, and
 * before a place is taken: whoever waits for a person holds none. Outside of `retry`: one call is one question.
 */
export const rules = (policy: Policy, approvals: CallApprovals | undefined): Step => ({
  enter: (passage) => {
    const verdict = policy.judge(passage.call.caller, ruledAs(passage), passage.kind, passage.args)
    if (verdict === undefined) return undefined
    passage.rule = ruleOf(verdict)
    if (verdict.effect === 'deny') throw denied(passage, verdict.rule, verdict.reason)
    // Fail closed: nobody is there to ask.
    if (!approvals) throw denied(passage, verdict.rules[0]!, 'somebody has to approve it, and nobody can be asked here')
    const grant = approvals.admit(askedOf(passage), verdict)
    if (isPromise(grant)) return grant.then((id) => noteGrant(passage, id))
    return noteGrant(passage, grant)
  },
})

const noteGrant = (passage: Passage, id: string | undefined): void => {
  passage.grant = id
}

const ruleOf = (verdict: RuleVerdict): string => (verdict.effect === 'deny' ? verdict.rule : verdict.rules.join(','))

/** An operator's word about what a tool does counts before the tool's own. */
const ruledAs = ({ shown, target }: Passage): Target => shown?.ruled ?? target

const askedOf = ({ kind, call, target, shown, args, sync }: Passage): Parameters<CallApprovals['admit']>[0] => ({
  kind,
  caller: call.caller,
  profile: call.caller.profile ?? defaultProfile,
  target,
  args,
  secretArguments: shown?.applied.secrets,
  call,
  sync,
})

/** The rule and the operator's words for it; never the condition, which would tell how to get past it. */
const denied = ({ target }: Passage, rule: string, reason: string | undefined): GatewayError =>
  new GatewayError(
    'ACCESS_DENIED',
    `'${target.id}' may not be called so: the rule '${rule}' forbids it${reason === undefined ? '' : `: ${reason.replace(/[.。]$/, '')}`}.`,
    { details: { tool: target.id, rule, reason }, notSent: true },
  )
