import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import {
  applyDocumentChanges,
  createDocumentSet,
  type DocumentChange,
  type Documents,
  toDocument,
} from '../documents.js'
import { storeClosed } from '../problems.js'
import type { DocumentReader, SharedDocuments, StoredDocument, ToolUses } from '../store.js'
import { createWriteQueue } from '../write-queue.js'
import { type PgRow, type Postgres, type Query, whole } from './connection.js'
import { announce, type Heads } from './heads.js'
import type { Tables } from './schema.js'
import { summedUses } from './tool-rows.js'

/** The documents of one kind. Several sets of a kind, in this process or others, see each other's writes. */
export const openPostgresDocuments = (
  database: Postgres,
  heads: Heads,
  kind: string,
  checkOpen: () => void = () => {},
): SharedDocuments => {
  const { tables } = database
  const reader = documentReader(database.read, tables, kind)
  const ours = new Set<number>()
  let seen: number | undefined
  let closing: Promise<void> | undefined
  const check = () => {
    checkOpen()
    if (closing) throw storeClosed(database.place)
  }
  const queue = createWriteQueue<Change>(async (changes) => {
    const { effects, version } = await commit(database, kind, changes)
    if (version !== undefined) {
      if (ours.size >= mostOurs) ours.clear()
      ours.add(version)
      heads.learn(kind, version)
    }
    return effects
  })

  return {
    ...createDocumentSet({
      get: async (id) => {
        check()
        return reader.get(id)
      },
      all: async () => {
        check()
        return reader.all()
      },
      push: async (change) => {
        check()
        return queue.push(change)
      },
    }),
    addMany: async (documents) => {
      check()
      await queue.push({ type: 'fill', documents: documents.map(({ id, value }) => toDocument(id, value)) })
    },
    follow: (listener) => {
      let upTo = heads.versionOf(kind)
      return heads.follow(kind, async (version) => {
        const isOurs = isAllOf(ours, upTo, version)
        upTo = version
        // What this set wrote itself it knows.
        if (!isOurs) await listener()
      })
    },
    refresh: async () => {
      check()
      heads.watch()
      // Before the heads were read once nothing is known, and whoever asks reads.
      const before = seen
      seen = heads.isRead ? heads.versionOf(kind) : undefined
      return seen === undefined || seen !== before
    },
    addUses: async (uses) => {
      check()
      await addDocumentUses(database, kind, uses)
    },
    [Symbol.asyncDispose]: () => {
      closing ??= queue.idle()
      return closing
    },
  }
}

/** Whether each version behind `from` and up to `to` is one of these. Few are kept: others wrote where one is missing. */
const isAllOf = (ours: Set<number>, from: number, to: number): boolean => {
  if (to <= from || to - from > ours.size) return false
  for (let version = from + 1; version <= to; version++) if (!ours.has(version)) return false
  return true
}

const mostOurs = 1000

export const documentReader = (query: Query, tables: Tables, kind: string): DocumentReader => ({
  get: async (id) => {
    const [row] = await query(`${selected(tables)} and d.id = $2`, [kind, id])
    return row && documentOf(row).value
  },
  all: async () => (await query(`${selected(tables)} order by d.id`, [kind])).map(documentOf),
})

const selected = ({ document, use }: Tables): string =>
  `select d.id, d.value, u.n, u.last from ${document} d left join ${use} u on u.what = $1 and u.id = d.id
   where d.kind = $1 and not d.deleted`

/** Uses are counted beside a document and belong to it for whoever reads. */
const documentOf = ({ id, value, n, last }: PgRow): StoredDocument => {
  const parsed = JSON.parse(String(value)) as JsonValue
  return { id: String(id), value: n === null || n === undefined ? parsed : counted(parsed, whole(n), last) }
}

const counted = (value: JsonValue, n: number, last: unknown): JsonValue => {
  if (!isRecord(value)) return value
  const { useCount, lastUsed } = value as JsonObject
  const before = typeof useCount === 'number' ? useCount : 0
  return {
    ...(value as JsonObject),
    useCount: before + n,
    lastUsed: Math.max(typeof lastUsed === 'number' ? lastUsed : 0, whole(last ?? 0)),
  }
}

/** Beside what every backend can do: documents that are added where there is none of their id. */
type Change = DocumentChange | { readonly type: 'fill'; readonly documents: readonly StoredDocument[] }

/** As `applyDocumentChanges`, a run of changes at a time. */
const applied = (there: Documents, changes: readonly Change[]): ReturnType<typeof applyDocumentChanges> => {
  const effects: boolean[] = []
  let next = there
  let run: DocumentChange[] = []
  const applyRun = () => {
    const after = applyDocumentChanges(next, run)
    next = after.next
    effects.push(...after.effects)
    run = []
  }
  for (const change of changes) {
    if (change.type !== 'fill') {
      run.push(change)
      continue
    }
    applyRun()
    const added = change.documents.filter(({ id }) => !next.has(id))
    next = new Map([...next, ...added.map(({ id, value }) => [id, value] as const)])
    effects.push(added.length > 0)
  }
  applyRun()
  return { next, effects }
}

interface Committed {
  readonly effects: readonly boolean[]
  /** Undefined where nothing changed, and nobody is told. */
  readonly version: number | undefined
}

/** Reads and writes under the lock of the kind's head, so that no write of anybody comes in between. */
const commit = (database: Postgres, kind: string, changes: readonly Change[]): Promise<Committed> => {
  const { tables } = database
  // The kind is letters, digits and hyphens; by the simple protocol the lock costs no round trip of its own.
  const begin = `begin; insert into ${tables.head} (kind, version) values ('${kind}', 0) on conflict do nothing; select version from ${tables.head} where kind = '${kind}' for update`
  return database.transaction(async (query) => {
    const there = new Map((await affected(query, tables, kind, changes)).map(({ id, value }) => [id, value]))
    const { next, effects } = applied(there, changes)
    const gone = [...there.keys()].filter((id) => !next.has(id))
    const put = [...next].filter(([id, value]) => !isSame(there.get(id), value))
    if (gone.length + put.length === 0) return { effects, version: undefined }
    return { effects, version: await write(query, tables, kind, put, gone) }
  }, begin)
}

/** What the changes look at: all of a kind where one decides by all of them. */
const affected = async (
  query: Query,
  tables: Tables,
  kind: string,
  changes: readonly Change[],
): Promise<readonly StoredDocument[]> => {
  if (changes.some(({ type }) => type === 'add')) return documentReader(query, tables, kind).all()
  const ids = changes.flatMap((change) =>
    change.type === 'put' || change.type === 'fill'
      ? change.documents.map(({ id }) => id)
      : change.type === 'add'
        ? []
        : [change.id],
  )
  return (await query(`${selected(tables)} and d.id = any($2)`, [kind, ids])).map(documentOf)
}

const isSame = (one: JsonValue | undefined, other: JsonValue): boolean =>
  one === other || (one !== undefined && JSON.stringify(one) === JSON.stringify(other))

/** What is written holds the uses that were counted beside it, so those are taken away. */
const write = async (
  query: Query,
  tables: Tables,
  kind: string,
  put: readonly (readonly [string, JsonValue])[],
  gone: readonly string[],
): Promise<number> => {
  const [row] = await query(
    `with raised as (update ${tables.head} set version = version + 1 where kind = $1 returning version),
     written as (insert into ${tables.document} as document (kind, id, value, version, deleted)
       select $1, g.id, g.value, (select version from raised), g.deleted
       from unnest($2::text[], $3::text[], $4::boolean[]) as g(id, value, deleted)
       on conflict (kind, id) do update set value = excluded.value, version = excluded.version,
         deleted = excluded.deleted, at = now()),
     counted as (delete from ${tables.use} where what = $1 and id = any($2))
     select version, ${announce(tables, '$1')} from raised`,
    [
      kind,
      [...put.map(([id]) => id), ...gone],
      [...put.map(([, value]) => JSON.stringify(value)), ...gone.map(() => 'null')],
      [...put.map(() => false), ...gone.map(() => true)],
    ],
  )
  return whole(row?.version)
}

/** Nobody is told. Under a shared lock of the head: whoever writes a document takes its counts along, and none may slip in. */
const addDocumentUses = async (database: Postgres, kind: string, uses: readonly ToolUses[]): Promise<void> => {
  const { tables } = database
  const sums = summedUses(uses)
  if (sums.length === 0) return
  await database.transaction(
    (query) =>
      query(
        `insert into ${tables.use} as use (what, id, n, last)
         select $1, d.id, g.n, g.last from unnest($2::text[], $3::bigint[], $4::bigint[]) as g(id, n, last)
         join ${tables.document} d on d.kind = $1 and d.id = g.id and not d.deleted order by d.id
         on conflict (what, id) do update set n = use.n + excluded.n, last = greatest(use.last, excluded.last)`,
        [kind, sums.map(({ id }) => id), sums.map(({ count }) => count), sums.map(({ lastUsed }) => lastUsed)],
      ),
    `begin; select version from ${tables.head} where kind = '${kind}' for share`,
  )
}
