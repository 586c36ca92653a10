import { advertisedName, safeNaming } from '../../../catalog/names.js'
import type { ProviderFormat } from '../../../catalog/provider-tools.js'
import type { Gateway } from '../../../gateway.js'
import { matchesGlob } from '../../../model/glob.js'
import type { JsonObject } from '../../../model/json.js'
import type { Tool } from '../../../model/tool.js'
import { fromCursor, toCursor } from '../cursor.js'
import { toDeferred } from '../deferred.js'
import type { Operation, RestRequest } from '../operation.js'
import { createPreparedAnswers, matchesTag } from '../prepared.js'
import { projectTools } from '../project.js'
import { closed, formatField, lossesSchema, profileField } from '../schemas.js'
import { type Detail, toolRecordSchema, toToolRecord } from '../tool-record.js'

interface ListQuery {
  readonly format?: ProviderFormat | undefined
  readonly defer: boolean
  readonly detail: Detail
  readonly namespace?: string | undefined
  readonly source?: string | undefined
  readonly tag: readonly string[]
  readonly category?: string | undefined
  readonly id: readonly string[]
  readonly limit: number
  readonly cursor?: string | undefined
}

/** `GET /api/v1/tools`: what this caller can see, in our words or a provider's. */
export const listTools = (gateway: Gateway, firstList?: () => Promise<unknown> | undefined): Operation => {
  const prepared = createPreparedAnswers(gateway)
  const answer = ({ caller, query, exchange }: RestRequest) => {
    const { profile: _profile, ...question } = query
    const { etag, bytes } = prepared.of(caller, question)
    const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' }
    if (matchesTag(exchange.request.headers['if-none-match'], etag)) return { status: 304, text: '', headers }
    return { text: bytes(() => page(gateway.list(caller), question as unknown as ListQuery)), headers }
  }
  return {
    id: 'listTools',
    method: 'GET',
    path: '/api/v1/tools',
    right: 'discover',
    tag: 'tools',
    summary: 'List tools, in our words or ready for a model provider',
    query: listQuery,
    answers: {
      200: { description: 'One page of tools', schema: listSchema },
      304: { description: 'Nothing changed since the answer with this ETag' },
    },
    run: (request: RestRequest) => {
      const awaited = firstList?.()
      return awaited ? awaited.then(() => answer(request)) : answer(request)
    },
  }
}

const page = (tools: readonly Tool[], query: ListQuery): unknown => {
  const after = query.cursor === undefined ? undefined : fromCursor(query.cursor)
  const fitting = tools.filter((tool) => fits(tool, query))
  const rest = after === undefined ? fitting : fitting.filter(({ id }) => id > after)
  const shown = rest.slice(0, query.limit)
  const nextCursor = rest.length > shown.length ? { nextCursor: toCursor(shown.at(-1)!.id) } : {}
  const total = fitting.length
  if (query.format === undefined)
    return { tools: shown.map((tool) => toToolRecord(tool, query.detail)), total, ...nextCursor }
  const { tools: projected, losses, carried } = projectTools(shown, query.format)
  const listed = query.defer ? toDeferred(carried, projected, query.format) : projected
  const names = Object.fromEntries(carried.map((tool) => [advertisedName(tool, safeNaming), tool.id]))
  return { format: query.format, tools: listed, names, losses, total, ...nextCursor }
}

const fits = (tool: Tool, { namespace, source, tag, category, id }: ListQuery): boolean =>
  (namespace === undefined || tool.namespace === namespace) &&
  (source === undefined || tool.source === source) &&
  (category === undefined || tool.category === category) &&
  tag.every((wanted) => tool.tags.includes(wanted)) &&
  (id.length === 0 || id.some((pattern) => matchesGlob(pattern, tool.id)))

const text = { type: 'string', maxLength: 256 }

const listQuery: JsonObject = closed({
  format: formatField,
  defer: {
    type: 'boolean',
    default: false,
    description: 'Mark tools for loading on demand, where the provider has it (anthropic, openai-responses)',
  },
  detail: { type: 'string', enum: ['summary', 'full'], default: 'full', description: 'summary leaves out schemas' },
  namespace: { ...text, description: 'Only tools of this namespace' },
  source: { ...text, description: 'Only tools of this source' },
  category: { ...text, description: 'Only tools of this category' },
  tag: { type: 'array', items: text, maxItems: 32, default: [], description: 'Only tools with all of these tags' },
  id: {
    type: 'array',
    items: text,
    maxItems: 256,
    default: [],
    description: 'Only these ids; * is any run of characters',
  },
  limit: { type: 'integer', minimum: 1, maximum: 10_000, default: 1000 },
  cursor: { type: 'string', maxLength: 2048, description: '`nextCursor` of the page before' },
  profile: profileField,
})

const listSchema: JsonObject = {
  type: 'object',
  properties: {
    tools: { type: 'array', items: { anyOf: [toolRecordSchema, { type: 'object' }] } },
    total: { type: 'integer', description: 'How many tools fit, over all pages' },
    nextCursor: { type: 'string' },
    format: formatField,
    names: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'From the names in this list back to canonical ids',
    },
    losses: lossesSchema,
  },
  required: ['tools', 'total'],
}
