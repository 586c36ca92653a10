import { createHash } from 'node:crypto'
import { toErrorAnswer } from '../../http/answer.js'
import { invalidRequest, notFound } from '../../http/http-error.js'
import type { HttpExchange } from '../../http/route.js'
import { defined } from '../../model/json.js'
import { type ErrorEnvelope, type Operation, operation, type Reply } from '../../operations/operation.js'
import { shape, text, type ValueOf, words } from '../../operations/shape.js'
import { officialMeta } from '../../registries/server-json.js'
import { listedServer, listQuery, serverList, versionQuery } from './schemas.js'
import {
  compareVersions,
  inOrder,
  newestOf,
  type PublishedServers,
  type ServedServer,
  selectServers,
} from './served.js'

/** The API of the official registry (v0.1), over what the operator of this gateway published. */
export const publishedOperations = (desk: PublishedServers): readonly Operation[] => [
  operation({
    id: 'listServers',
    method: 'GET',
    path: '/v0.1/servers',
    right: 'discover',
    tag: 'registry',
    summary: words('The servers that this gateway publishes', '本网关发布的服务器'),
    query: listQuery,
    headers: ['If-None-Match'],
    errors,
    answers: {
      200: { description: words('A page of them', '其中一页'), schema: serverList },
      304: notChanged,
    },
    run: async ({ exchange, query }) => {
      const all = await desk.servers()
      const wanted = selectServers(all, {
        ...{ search: query.search, version: query.version, includeDeleted: query.include_deleted },
        updatedSince: query.updated_since === undefined ? undefined : readTime(query.updated_since),
      })
      const from = query.cursor === undefined ? wanted : wanted.filter(behind(query.cursor))
      const page = from.slice(0, query.limit)
      const last = from.length > page.length ? page.at(-1) : undefined
      return answered(exchange, {
        servers: page.map((each) => listed(each, newestOf(all))),
        metadata: defined({ count: page.length, nextCursor: last && cursorOf(last) }),
      })
    },
  }),
  operation({
    id: 'listServerVersions',
    method: 'GET',
    path: '/v0.1/servers/:name/versions',
    right: 'discover',
    tag: 'registry',
    summary: words('All versions of a server', '一个服务器的全部版本'),
    params: { name },
    query: versionQuery,
    headers: ['If-None-Match'],
    errors,
    answers: {
      200: { description: words('They, newest first', '全部版本，新的在前'), schema: serverList },
      304: notChanged,
    },
    run: async ({ exchange, params, query }) => {
      const all = await versionsOf(desk, params.name!, query.include_deleted)
      const newest = newestOf(all)
      const servers = all
        .toSorted((a, b) => compareVersions(b.server.version, a.server.version))
        .map((each) => listed(each, newest))
      return answered(exchange, { servers, metadata: { count: servers.length } })
    },
  }),
  operation({
    id: 'readServerVersion',
    method: 'GET',
    path: '/v0.1/servers/:name/versions/:version',
    right: 'discover',
    tag: 'registry',
    summary: words('One version of a server', '服务器的一个版本'),
    params: { name, version: words('`latest`, or one version', '`latest` 或某个版本') },
    query: versionQuery,
    headers: ['If-None-Match'],
    errors,
    answers: {
      200: { description: words('Its server.json', '它的 server.json'), schema: listedServer },
      304: notChanged,
    },
    run: async ({ exchange, params, query }) => {
      const all = await versionsOf(desk, params.name!, query.include_deleted)
      const newest = newestOf(all)
      const found =
        params.version === 'latest' ? [...newest][0] : all.find(({ server }) => server.version === params.version)
      if (!found) throw notFound('Server version not found')
      return answered(exchange, listed(found, newest))
    },
  }),
]

const name = words('Its name, with %2F for the slash', '名称，斜杠写作 %2F')

const notChanged = { description: words('As it was when that ETag was given', '自该 ETag 以来没有变化') }

const versionsOf = async (
  desk: PublishedServers,
  wanted: string,
  isDeletedToo: boolean,
): Promise<readonly ServedServer[]> => {
  const all = (await desk.servers()).filter(
    ({ server, status }) => server.name === wanted && (isDeletedToo || status !== 'deleted'),
  )
  if (all.length === 0) throw notFound('Server not found')
  return all
}

const listed = (each: ServedServer, newest: ReadonlySet<ServedServer>): ValueOf<typeof listedServer> => ({
  server: each.server as unknown as ValueOf<typeof listedServer>['server'],
  _meta: {
    [officialMeta]: defined({
      status: each.status,
      statusMessage: each.statusMessage,
      statusChangedAt: toTime(each.statusChangedAt),
      publishedAt: toTime(each.publishedAt),
      updatedAt: toTime(each.updatedAt),
      isLatest: newest.has(each),
    }),
  },
})

const toTime = (at: number): string => new Date(at).toISOString()

const readTime = (written: string): number => {
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/.test(written) ? Date.parse(written) : Number.NaN
  if (Number.isFinite(at)) return at
  throw invalidRequest('`updated_since` is a time as RFC 3339 writes it: 2026-01-31T12:00:00Z.')
}

/** A page goes on behind a name and a version, whether or not that is still there. */
const cursorOf = ({ server }: ServedServer): string =>
  Buffer.from(JSON.stringify([server.name, server.version])).toString('base64url')

const behind = (cursor: string): ((each: ServedServer) => boolean) => {
  const [afterName, afterVersion] = readCursor(cursor)
  const place = { server: { name: afterName, version: afterVersion } } as ServedServer
  return (each) => inOrder(each, place) > 0
}

const readCursor = (cursor: string): readonly [string, string] => {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string'))
      return value as unknown as readonly [string, string]
  } catch {
    // Told below, with whatever else is no cursor.
  }
  throw invalidRequest('`cursor` is none of ours: begin again without it.')
}

/** The answer, or that nothing has changed. What a key may see is for its holder alone. */
const answered = (exchange: HttpExchange, value: unknown): Reply => {
  const body = JSON.stringify(value)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache', Vary: 'Authorization' }
  const known = exchange.request.headers['if-none-match']?.split(',').map((each) => each.trim().replace(/^W\//, ''))
  if (known?.some((each) => each === etag || each === '*')) return { status: 304, text: '', headers }
  return { text: body, headers }
}

/** As the registry's own document has them: one sentence in `error`. */
const errors: ErrorEnvelope = {
  description: words(
    'An error; what is refused before the route (host, key, path) as everywhere else',
    '错误；到达路由之前被拒绝的请求（主机、密钥、路径）与其他接口相同',
  ),
  schema: { anyOf: [shape({ error: text(), code: text() }), { type: 'object', required: ['error'] }] },
  tell: (error, { requestId }) => {
    const { status, headers, body } = toErrorAnswer(error, requestId)
    return {
      status,
      headers,
      body: { error: body.error.message, code: body.error.code, requestId },
      unexpected: status >= 500,
    }
  },
}
