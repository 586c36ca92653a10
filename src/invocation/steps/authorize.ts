import { GatewayError } from '../../errors.js'
import type { Policy } from '../../policy/policy.js'
import type { Step } from '../compose.js'

/** May they call what they can see? */
export const authorize =
  (policy: Policy): Step =>
  (next) =>
  (passage) => {
    const decision = policy.decide(passage.call.caller, passage.tool, 'call')
    if (decision.allowed) return next(passage)
    throw new GatewayError('ACCESS_DENIED', `'${passage.tool.id}' may not be called: ${decision.reason}.`, {
      details: { tool: passage.tool.id },
      notSent: true,
    })
  }
