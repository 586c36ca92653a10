import type { Gateway, ProviderFormat } from '../../../gateway.js'
import { defined } from '../../../model/json.js'
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
import { toAreaRecord } from '../../search-words.js'
import { projectTools } from '../project.js'
import { formatField, lossesSchema, profileField } from '../schemas.js'
import { type Detail, toolRecordSchema, toToolRecord } from '../tool-record.js'

type SearchOutcome = Awaited<ReturnType<Gateway['search']>>

const weakness = {
  match: described(choice(['weak']), 'Too little speaks for it to trust it unread', '依据不足，未经查看不宜采用'),
}

const answerSchema = shape(
  {
    results: list(
      shape(
        {
          tool: { anyOf: [toolRecordSchema, { type: ['object', 'null'] }] },
          score: number({ minimum: 0, maximum: 1 }),
          matchReason: text(),
        },
        { ...weakness, part: described(text(), 'The part of the wish that it serves', '它所服务的部分') },
      ),
    ),
    method: text(),
  },
  {
    notice: described(text(), 'What to know about the results, in words for a model', '关于结果的说明，供模型阅读'),
    ...weakness,
    parts: described(list(text()), 'What a wish of several parts asks for, one by one', '含多个部分的需求中，每一部分'),
    areas: described(
      list(shape({ category: text(), tools: integer(), examples: list(text()) })),
      'Where nothing was found: what there is to ask for, with ids of some tools',
      '没有结果时：可以询问哪些内容，附部分工具的 id',
    ),
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
      return { json: { ...told(outcome, detail, format), method: outcome.method, ...besidesOf(outcome) } }
    },
  })

const told = ({ results }: SearchOutcome, detail: Detail, format: ProviderFormat | undefined) => {
  const facts = results.map(({ score, matchReason, match, part }) =>
    defined({ score: Number(score.toFixed(4)), matchReason, match, part }),
  )
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

const besidesOf = ({ notice, match, parts, areas }: SearchOutcome) =>
  defined({ notice, match, parts, areas: areas?.map(toAreaRecord) })
