import type { Gateway } from '../../gateway.js'
import { tokensOf } from '../../model/tokens.js'
import type { Operation } from '../../operations/operation.js'
import { closed, integer, list, number, otherwise, shape, text, type ValueOf, words } from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'

const question = closed(
  {
    query: text({ maxLength: 10_000 }),
    method: text({ maxLength: 64 }),
    limit: otherwise(integer({ minimum: 1, maximum: 100 }), 10),
    profile: text({ maxLength: 64 }),
  },
  ['query'],
)

const hit = shape(
  { id: text(), source: text(), description: text(), score: number(), matchReason: text(), tokens: integer() },
  { title: text() },
)

const searchAnswer = shape({ results: list(hit), method: text(), tookMs: number() }, { notice: text() })

export type SearchAnswer = ValueOf<typeof searchAnswer>

/** The search playground: what a model would find, why, and what reading it would cost. */
export const searchOperations = ({ gateway }: { readonly gateway: Gateway }): readonly Operation[] => [
  adminOperation({
    id: 'search',
    method: 'POST',
    path: '/search',
    right: 'look',
    deed: false,
    summary: words('What a model would find by these words', '模型用这些词会找到什么'),
    body: question,
    answer: searchAnswer,
    run: async ({ body: { query, method, limit, profile }, caller: asker, exchange }) => {
      const caller = profile === undefined ? asker : { ...asker, profile }
      const startedAt = performance.now()
      const outcome = await gateway.search(query, { limit, method, signal: exchange.cancel }, caller)
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
