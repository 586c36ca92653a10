import { GatewayError } from '../../errors.js'
import type { Step } from '../compose.js'

/** May they call what they can see? The policy was asked when it was found: one question, both answers. */
export const authorize: Step = (next) => (passage) => {
  const { decision, tool } = passage
  if (decision.allowed) return next(passage)
  throw new GatewayError('ACCESS_DENIED', `'${tool.id}' may not be called: ${decision.reason}.`, {
    details: { tool: tool.id },
    notSent: true,
  })
}
