import { GatewayError } from '../../errors.js'
import type { Route } from '../../http/route.js'
import type { Tool } from '../../model/tool.js'
import { adminRoute, closed } from './admin-route.js'
import type { AdminBoard } from './board.js'

/** Tools that changed since somebody looked at them: the difference, and the decision. */
export const approvalRoutes = ({ gateway, approvals }: AdminBoard): readonly Route[] => [
  adminRoute({
    method: 'GET',
    path: '/approvals',
    right: 'admin',
    run: () => ({
      available: approvals !== undefined,
      pending: gateway.catalog.held().map((tool) => {
        const approved = approvals?.approvedOf(tool.id)
        return {
          id: tool.id,
          source: tool.source,
          before: approved?.definition,
          approvedAt: approved?.at,
          approvedBy: approved?.by,
          after: tool.definition,
        }
      }),
    }),
  }),
  adminRoute<{ readonly ids: readonly string[] }>({
    method: 'POST',
    path: '/approvals',
    right: 'admin',
    body: closed({ ids: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 1000 } }, ['ids']),
    run: async ({ body, exchange }) => {
      if (!approvals) throw new GatewayError('STORE_UNREADABLE', 'Nothing is kept here, so nothing can be approved.')
      const held = new Map(gateway.catalog.held().map((tool) => [tool.id, tool]))
      const found = body.ids.map((id) => held.get(id)).filter((tool): tool is Tool => tool !== undefined)
      if (found.length === 0)
        throw new GatewayError('TOOL_NOT_FOUND', 'None of these tools waits for approval any more; look again.')
      for (const tool of found) await approvals.approve(tool, exchange.caller.id)
      const approved = found.filter((tool) => gateway.catalog.reconsider(tool.id)).map(({ id }) => id)
      // What the operator keeps under version control speaks before a click.
      if (approved.length === 0)
        throw new GatewayError(
          'TOOL_CONFLICT',
          'A lock file holds these back; approve them there: pegboard lock approve',
        )
      return { approved }
    },
  }),
]
