import type { JsonObject } from '../../model/json.js'
import type { Operation } from '../../operations/operation.js'
import { anyObject, choice, list, shape, text, type ValueOf, words } from '../../operations/shape.js'
import { serverStatuses } from '../../registries/server-json.js'
import { adminOperation } from './admin-operation.js'

const publishedServer = shape(
  {
    /** Its key: the name of a source, or of what was written whole. */
    key: text(),
    /** As it stands in the configuration. */
    wish: anyObject(),
  },
  {
    /** As others get it. */
    server: anyObject(),
    status: choice(serverStatuses),
    /** Why it is not listed. */
    problem: shape({ en: text(), zh: text() }),
  },
)

const publishedList = shape({ namespace: text(), servers: list(publishedServer) })

export type PublishedList = ValueOf<typeof publishedList>

/** What this gateway's own registry lists, as an operator chooses it. */
export interface PublishDesk {
  list(): Promise<PublishedList>
  save(key: string, wish: JsonObject): Promise<PublishedList>
  remove(key: string): Promise<PublishedList>
}

const params = { name: words('The source, or the key of what was written whole', '来源名称，或整份写入的键') }

export const publishOperations = ({ publish }: { readonly publish: PublishDesk }): readonly Operation[] => [
  adminOperation({
    id: 'listPublished',
    method: 'GET',
    path: '/publish',
    right: 'look',
    summary: words('What this gateway publishes as a registry', '本网关作为注册表发布的内容'),
    answer: publishedList,
    run: () => publish.list(),
  }),
  adminOperation({
    id: 'publishServer',
    method: 'PUT',
    path: '/publish/:name',
    right: 'admin',
    summary: words('Publish a source', '发布一个来源'),
    params,
    body: anyObject({ maxProperties: 16 }),
    answer: publishedList,
    deed: { kind: 'setting', action: 'publish' },
    run: ({ params: { name }, body }) => publish.save(name!, body),
  }),
  adminOperation({
    id: 'unpublishServer',
    method: 'DELETE',
    path: '/publish/:name',
    right: 'admin',
    summary: words('Publish it no longer', '不再发布'),
    params,
    answer: publishedList,
    deed: { kind: 'setting', action: 'unpublish' },
    run: ({ params: { name } }) => publish.remove(name!),
  }),
]
