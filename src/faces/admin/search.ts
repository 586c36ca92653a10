import type { Gateway } from '../../gateway.js'
import { tokensOf } from '../../model/tokens.js'
import type { Operation } from '../../operations/operation.js'
import {
  choice,
  closed,
  flag,
  integer,
  list,
  number,
  otherwise,
  shape,
  text,
  type ValueOf,
  words,
} from '../../operations/shape.js'
import { toAreaRecord } from '../search-words.js'
import { adminOperation } from './admin-operation.js'
import type { ScriptDesk } from './scripts.js'

const question = closed(
  {
    query: text({ maxLength: 10_000 }),
    method: text({ maxLength: 64 }),
    limit: otherwise(integer({ minimum: 1, maximum: 100 }), 10),
    profile: text({ maxLength: 64 }),
    /** Each result also in the words of a script. */
    declarations: flag(),
  },
  ['query'],
)

const hit = shape(
  { id: text(), source: text(), description: text(), score: number(), matchReason: text(), tokens: integer() },
  {
    title: text(),
    match: choice(['weak']),
    part: text(),
    declaration: text(),
    call: text(),
    /** Its id as its source has it, where it is shown under another. */
    upstream: text(),
  },
)

const area = shape({ category: text(), tools: integer(), examples: list(text()) })

const searchAnswer = shape(
  { results: list(hit), method: text(), tookMs: number() },
  { notice: text(), match: choice(['weak']), parts: list(text()), areas: list(area) },
)

export type SearchAnswer = ValueOf<typeof searchAnswer>

/** The search playground: what a model would find, why, and what reading it would cost. */
export const searchOperations = ({
  gateway,
  scripts,
}: {
  readonly gateway: Gateway
  readonly scripts: ScriptDesk
}): readonly Operation[] => [
  adminOperation({
    id: 'search',
    method: 'POST',
    path: '/search',
    right: 'look',
    deed: false,
    summary: words('What a model would find by these words', '模型用这些词会找到什么'),
    body: question,
    answer: searchAnswer,
    run: async ({ body: { query, method, limit, profile, declarations }, caller: asker, exchange }) => {
      const caller = profile === undefined ? asker : { ...asker, profile }
      const startedAt = performance.now()
      const outcome = await gateway.search(query, { limit, method, signal: exchange.cancel }, caller)
      const tookMs = performance.now() - startedAt
      const inScripts = declarations ? await scripts.wordsOf(outcome.results.map(({ tool }) => tool)) : []
      const results = outcome.results.map(({ tool, score, matchReason, match, part }, at) => ({
        id: tool.id,
        upstream: tool.upstream && tool.upstream.id !== tool.id ? tool.upstream.id : undefined,
        source: tool.source,
        title: tool.definition.title,
        description: (tool.definition.description ?? '').slice(0, 400),
        score,
        matchReason,
        match,
        part,
        tokens: tokensOf(Buffer.byteLength(JSON.stringify(tool.definition))),
        ...inScripts[at],
      }))
      const { method: used, notice, match, parts, areas } = outcome
      return { results, method: used, notice, match, parts, areas: areas?.map(toAreaRecord), tookMs }
    },
  }),
]
