import type { Gateway, ProviderFormat } from '../../../gateway.js'
import { type Operation, operation } from '../../../operations/operation.js'
import {
  choice,
  closed,
  described,
  integer,
  list,
  number,
  otherwise,
  shape,
  text,
  words,
} from '../../../operations/shape.js'
import { projectTools } from '../project.js'
import { formatField, lossesSchema, profileField } from '../schemas.js'
import { type Detail, toolRecordSchema, toToolRecord } from '../tool-record.js'

type SearchOutcome = Awaited<ReturnType<Gateway['search']>>

const answerSchema = shape(
  {
    results: list(
      shape({
        tool: { anyOf: [toolRecordSchema, { type: ['object', 'null'] }] },
        score: number({ minimum: 0, maximum: 1 }),
        matchReason: text(),
      }),
    ),
    method: text(),
  },
  {
    notice: described(text(), 'What to know about the results, in words for a model', '关于结果的说明，供模型阅读'),
    losses: lossesSchema,
  },
)

/** `POST /api/v1/search`: which tool fits these words? */
export const searchTools = (gateway: Gateway): Operation =>
  operation({
    id: 'searchTools',
    method: 'POST',
    path: '/api/v1/search',
    right: 'discover',
    tag: 'tools',
    summary: words('Find tools by words, in English and Chinese', '按描述查找工具，中英文均可'),
    query: closed({ profile: profileField }),
    body: closed(
      {
        query: text({ maxLength: 10_000 }),
        method: described(
          text({ maxLength: 64 }),
          'auto (default), bm25, regex, embedding, or a plug-in',
          'auto（默认）、bm25、regex、embedding，或插件',
        ),
        limit: otherwise(integer({ minimum: 0, maximum: 100 }), 5),
        detail: otherwise(choice(['summary', 'full']), 'summary'),
        format: formatField,
      },
      ['query'],
    ),
    answers: { 200: { description: words('Best first', '最合适的在前'), schema: answerSchema } },
    run: async ({ caller, body, exchange }) => {
      const { query, method, limit, detail, format } = body
      const options = { limit, signal: exchange.cancel, method }
      const outcome = await gateway.search(query, options, caller)
      return { json: { ...told(outcome, detail, format), method: outcome.method, ...noticeOf(outcome) } }
    },
  })

const told = ({ results }: SearchOutcome, detail: Detail, format: ProviderFormat | undefined) => {
  const facts = results.map(({ score, matchReason }) => ({ score: Number(score.toFixed(4)), matchReason }))
  if (format === undefined)
    return { results: results.map(({ tool }, index) => ({ tool: toToolRecord(tool, detail), ...facts[index] })) }
  const projected = results.map(({ tool }) => projectTools([tool], format))
  return {
    results: results.map(({ tool }, index) => ({
      id: tool.id,
      tool: projected[index]!.tools[0] ?? null,
      ...facts[index],
    })),
    losses: projected.flatMap(({ losses }) => losses),
  }
}

const noticeOf = ({ notice }: SearchOutcome) => (notice === undefined ? {} : { notice })
