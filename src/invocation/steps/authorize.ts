import { GatewayError } from '../../errors.js'
import type { Step } from '../compose.js'

/** May they call what they can see? The policy was asked when it was found: one question, both answers. */
export const authorize: Step = (next) => (passage) => {
  const { decision, target } = passage
  if (decision.allowed) return next(passage)
  throw new GatewayError('ACCESS_DENIED', `'${target.id}' may not be called: ${decision.reason}.`, {
    details: { tool: target.id },
    notSent: true,
  })
}
