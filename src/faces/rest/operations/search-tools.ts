import type { ProviderFormat } from '../../../catalog/provider-tools.js'
import type { Gateway } from '../../../gateway.js'
import type { Operation } from '../operation.js'
import { projectTools } from '../project.js'
import { closed, formatField, lossesSchema, profileField } from '../schemas.js'
import { type Detail, toolRecordSchema, toToolRecord } from '../tool-record.js'

type SearchOutcome = Awaited<ReturnType<Gateway['search']>>

interface SearchBody {
  readonly query: string
  readonly method?: string | undefined
  readonly limit: number
  readonly detail: Detail
  readonly format?: ProviderFormat | undefined
}

/** `POST /api/v1/search`: which tool fits these words? */
export const searchTools = (gateway: Gateway): Operation => ({
  id: 'searchTools',
  method: 'POST',
  path: '/api/v1/search',
  right: 'discover',
  tag: 'tools',
  summary: 'Find tools by words, in English and Chinese',
  query: closed({ profile: profileField }),
  body: closed(
    {
      query: { type: 'string', maxLength: 10_000 },
      method: { type: 'string', maxLength: 64, description: 'auto (default), bm25, regex, embedding, or a plug-in' },
      limit: { type: 'integer', minimum: 0, maximum: 100, default: 5 },
      detail: { type: 'string', enum: ['summary', 'full'], default: 'summary' },
      format: formatField,
    },
    ['query'],
  ),
  answers: { 200: { description: 'Best first', schema: answerSchema } },
  run: async ({ caller, body, exchange }) => {
    const { query, method, limit, detail, format } = body as SearchBody
    const options = { limit, signal: exchange.signal, ...(method === undefined ? {} : { method }) }
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

const answerSchema = {
  type: 'object',
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          tool: { anyOf: [toolRecordSchema, { type: ['object', 'null'] }] },
          score: { type: 'number', minimum: 0, maximum: 1 },
          matchReason: { type: 'string' },
        },
      },
    },
    method: { type: 'string' },
    notice: { type: 'string', description: 'What to know about the results, in words for a model' },
    losses: lossesSchema,
  },
}
