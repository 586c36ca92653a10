import type { JsonObject } from '../../model/json.js'
import {
  anyObject,
  choice,
  closed,
  described,
  flag,
  integer,
  list,
  otherwise,
  shape,
  text,
} from '../../operations/shape.js'
import { officialMeta, serverStatuses } from '../../registries/server-json.js'

const time = text({ format: 'date-time' })

const server = shape(
  {
    name: text({ minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' }),
    description: text(),
    version: text({ maxLength: 255 }),
  },
  {
    $schema: text(),
    title: text(),
    websiteUrl: text(),
    repository: anyObject(),
    icons: list(anyObject()),
    packages: list(anyObject()),
    remotes: list(anyObject()),
    _meta: anyObject(),
  },
)

const standing = shape(
  { status: choice(serverStatuses), publishedAt: time, updatedAt: time, statusChangedAt: time, isLatest: flag() },
  { statusMessage: text({ maxLength: 500 }) },
)

const meta: JsonObject = { type: 'object', required: [officialMeta], properties: { [officialMeta]: standing } }

/** One version with what this registry says of it. */
export const listedServer = shape({ server, _meta: meta })

export const serverList = shape({
  servers: list(listedServer),
  metadata: shape({ count: integer() }, { nextCursor: text() }),
})

const includeDeleted = described(otherwise(flag(), false), 'Also what was taken back', '也包括已撤下的')

export const versionQuery = closed({ include_deleted: includeDeleted })

export const listQuery = closed({
  cursor: described(
    text({ maxLength: 600 }),
    'Where to go on: `nextCursor` of the page before',
    '从哪里继续：上一页的 `nextCursor`',
  ),
  limit: described(otherwise(integer({ minimum: 1, maximum: 100 }), 30), 'How many at most', '最多多少个'),
  search: described(text({ maxLength: 200 }), 'A part of the name', '名称的一部分'),
  updated_since: described(
    text({ maxLength: 64 }),
    'Only what changed since then (RFC 3339), also what was taken back',
    '仅此时间（RFC 3339）之后变更的，也包括已撤下的',
  ),
  version: described(text({ maxLength: 255 }), '`latest`, or one version', '`latest` 或某个版本'),
  include_deleted: includeDeleted,
})
