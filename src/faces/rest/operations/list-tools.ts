import { createHash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { advertisedName, type Gateway, safeNaming } from '../../../gateway.js'
import { invalidRequest } from '../../../http/http-error.js'
import type { Caller } from '../../../model/caller.js'
import { matchesGlob } from '../../../model/glob.js'
import type { Tool } from '../../../model/tool.js'
import { type Operation, type OperationRequest, operation } from '../../../operations/operation.js'
import {
  byName,
  choice,
  closed,
  described,
  flag,
  integer,
  list,
  otherwise,
  shape,
  text,
  type ValueOf,
  words,
} from '../../../operations/shape.js'
import { toDeferred } from '../deferred.js'
import { projectTools } from '../project.js'
import { formatField, lossesSchema, profileField } from '../schemas.js'
import { toolRecordSchema, toToolRecord } from '../tool-record.js'

const name = text({ maxLength: 256 })

const listQuery = closed({
  format: formatField,
  defer: described(
    otherwise(flag(), false),
    'Mark tools for loading on demand, where the provider has it (anthropic, openai-responses)',
    '标记为按需加载，限支持此功能的模型服务（anthropic、openai-responses）',
  ),
  detail: described(
    otherwise(choice(['summary', 'full']), 'full'),
    'summary leaves out schemas',
    'summary 不含 schema',
  ),
  namespace: described(name, 'Only tools of this namespace', '只列出此命名空间的工具'),
  source: described(name, 'Only tools of this source', '只列出此来源的工具'),
  category: described(name, 'Only tools of this category', '只列出此类别的工具'),
  tag: described(
    otherwise(list(name, { maxItems: 32 }), []),
    'Only tools with all of these tags',
    '只列出带有全部这些标签的工具',
  ),
  id: described(
    otherwise(list(name, { maxItems: 256 }), []),
    'Only these ids; * is any run of characters',
    '只列出这些 id；* 代表任意字符',
  ),
  limit: otherwise(integer({ minimum: 1, maximum: 10_000 }), 1000),
  cursor: described(text({ maxLength: 2048 }), '`nextCursor` of the page before', '上一页的 `nextCursor`'),
  profile: profileField,
})

type ListQuery = Omit<ValueOf<typeof listQuery>, 'profile'>

const listSchema = shape(
  {
    tools: list({ anyOf: [toolRecordSchema, { type: 'object' }] }),
    total: described(integer(), 'How many tools fit, over all pages', '符合条件的工具总数'),
  },
  {
    nextCursor: text(),
    format: formatField,
    names: described(byName(text()), 'From the names in this list back to canonical ids', '由列表中的名称查回规范 id'),
    losses: lossesSchema,
  },
)

/** `GET /api/v1/tools`: what this caller can see, in our words or a provider's. */
export const listTools = (gateway: Gateway, firstList?: () => Promise<unknown> | undefined): Operation => {
  const prepared = createPreparedAnswers(gateway)
  const answer = ({ caller, query, exchange }: OperationRequest<ValueOf<typeof listQuery>>) => {
    const { profile: _profile, ...question } = query
    const { etag, bytes } = prepared.of(caller, question)
    const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' }
    if (matchesTag(exchange.request.headers['if-none-match'], etag)) return { status: 304, text: '', headers }
    return { text: bytes(() => page(gateway.list(caller), question)), headers }
  }
  return operation({
    id: 'listTools',
    method: 'GET',
    path: '/api/v1/tools',
    right: 'discover',
    tag: 'tools',
    summary: words('List tools, in our words or ready for a model provider', '列出工具，可用本网关或模型服务的格式'),
    query: listQuery,
    answers: {
      200: { description: words('One page of tools', '一页工具'), schema: listSchema },
      304: { description: words('Nothing changed since the answer with this ETag', '自此 ETag 的应答以来没有变化') },
    },
    run: (request) => {
      const awaited = firstList?.()
      return awaited ? awaited.then(() => answer(request)) : answer(request)
    },
  })
}

const page = (tools: readonly Tool[], query: ListQuery): unknown => {
  const after = query.cursor === undefined ? undefined : fromCursor(query.cursor)
  const fitting = tools.filter((tool) => fits(tool, query))
  const rest = after === undefined ? fitting : fitting.filter(({ id }) => id > after)
  const shown = rest.slice(0, query.limit)
  const nextCursor = rest.length > shown.length ? toCursor(shown.at(-1)!.id) : undefined
  const total = fitting.length
  if (query.format === undefined)
    return { tools: shown.map((tool) => toToolRecord(tool, query.detail)), total, nextCursor }
  const { tools: projected, losses, carried } = projectTools(shown, query.format)
  const listed = query.defer ? toDeferred(carried, projected, query.format) : projected
  const names = Object.fromEntries(carried.map((tool) => [advertisedName(tool, safeNaming), tool.id]))
  return { format: query.format, tools: listed, names, losses, total, nextCursor }
}

const fits = (tool: Tool, { namespace, source, tag, category, id }: ListQuery): boolean =>
  (namespace === undefined || tool.namespace === namespace) &&
  (source === undefined || tool.source === source) &&
  (category === undefined || tool.category === category) &&
  tag.every((wanted) => tool.tags.includes(wanted)) &&
  (id.length === 0 || id.some((pattern) => matchesGlob(pattern, tool.id)))

/** A cursor names the tool it follows, not a page number: when the list changes in between, nothing that stayed is missed. */
const toCursor = (id: string): string => Buffer.from(id).toString('base64url')

const fromCursor = (cursor: string): string => {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (toCursor(id) !== cursor) throw invalidRequest('This cursor is not one of ours; list from the beginning.')
  return id
}

interface Prepared {
  readonly etag: string
  /** The bytes of the answer; made when first asked for, then the same for everybody who sees the same. */
  bytes(make: () => unknown): Buffer
}

/** Lists are made once per catalog version, rules and question, then sent as bytes. */
interface PreparedAnswers {
  of(caller: Caller, question: unknown): Prepared
}

const largestTotal = 64 * 1024 * 1024

const createPreparedAnswers = (gateway: Gateway): PreparedAnswers => {
  // Versions count from one after each start, and replicas count for themselves; this keeps their tags apart.
  const instance = randomBytes(6).toString('base64url')
  const known = new LRUCache<string, Buffer>({
    maxSize: largestTotal,
    sizeCalculation: ({ length }, key) => length + key.length + 1,
  })
  return {
    of: ({ profile, rights }, question) => {
      const key = JSON.stringify([gateway.catalog.version, gateway.policy.version, profile, rights, question])
      const etag = `"${createHash('sha256').update(instance).update(key).digest('base64url').slice(0, 27)}"`
      return {
        etag,
        bytes: (make) => {
          const found = known.get(key)
          if (found) return found
          const made = Buffer.from(JSON.stringify(make()))
          if (made.length < largestTotal) known.set(key, made)
          return made
        },
      }
    },
  }
}

/** Whether the client has it already. `*` means any; weakness makes no difference for GET (RFC 9110 §13.1.2). */
const matchesTag = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
