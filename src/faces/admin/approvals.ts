import type { Route } from '../../http/route.js'
import { adminRoute, closed } from './admin-route.js'
import type { AdminBoard, Decisions } from './board.js'

const decisions = closed(
  {
    ids: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 1000 },
    hashes: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 1000 },
  },
  ['ids'],
)

/** Tools that changed since somebody looked at them: the difference, and the decision. */
export const approvalRoutes = ({ approvals, keys, settings }: AdminBoard): readonly Route[] => {
  /** Keys have names that people know (G11). */
  const nameOf = async (caller: string): Promise<string> =>
    (await keys.list()).find(({ id }) => caller === `key:${id}`)?.name ?? caller
  return [
    adminRoute({
      method: 'GET',
      path: '/approvals',
      right: 'admin',
      run: () => ({
        available: approvals.canDecide,
        // Whoever asks from another project must not decide here.
        config: settings.report().file,
        lockFile: approvals.lockFile(),
        pending: approvals.list(),
        noted: approvals.noted(),
      }),
    }),
    adminRoute<Decisions>({
      method: 'POST',
      path: '/approvals',
      right: 'admin',
      body: decisions,
      run: async ({ body, exchange }) => ({
        approved: await approvals.approve(body, await nameOf(exchange.caller.id)),
      }),
    }),
    adminRoute<Decisions>({
      method: 'POST',
      path: '/approvals/reject',
      right: 'admin',
      body: decisions,
      run: async ({ body, exchange }) => ({
        rejected: await approvals.reject(body, await nameOf(exchange.caller.id)),
      }),
    }),
  ]
}

/** How many wait for a decision: what was rejected has had one. */
export const waitingOf = ({ approvals }: Pick<AdminBoard, 'approvals'>): number =>
  approvals.list().filter(({ state }) => state === 'pending').length
