import type { Route } from '../../http/route.js'
import { adminRoute, closed } from './admin-route.js'
import type { AdminBoard } from './board.js'
import { tokensOf } from './tokens.js'

interface Question {
  readonly query: string
  readonly method?: string | undefined
  readonly limit: number
  readonly profile?: string | undefined
}

/** The search playground: what a model would find, why, and what reading it would cost. */
export const searchRoutes = ({ gateway }: AdminBoard): readonly Route[] => [
  adminRoute<Question>({
    method: 'POST',
    path: '/search',
    right: 'admin',
    body: closed(
      {
        query: { type: 'string', maxLength: 10_000 },
        method: { type: 'string', maxLength: 64 },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
        profile: { type: 'string', maxLength: 64 },
      },
      ['query'],
    ),
    run: async ({ body, exchange }) => {
      const { query, method, limit, profile } = body
      const caller = profile === undefined ? exchange.caller : { ...exchange.caller, profile }
      const startedAt = performance.now()
      const outcome = await gateway.search(query, { limit, signal: exchange.signal, method }, caller)
      const tookMs = performance.now() - startedAt
      const results = outcome.results.map(({ tool, score, matchReason }) => ({
        id: tool.id,
        source: tool.source,
        title: tool.definition.title,
        description: (tool.definition.description ?? '').slice(0, 400),
        score,
        matchReason,
        tokens: tokensOf(Buffer.byteLength(JSON.stringify(tool.definition))),
      }))
      return { results, method: outcome.method, notice: outcome.notice, tookMs }
    },
  }),
]
