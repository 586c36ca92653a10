import { createHash } from 'node:crypto'
import { registeredSource, type StoredTool, type Temperature, type ToolSelection, type ToolUses } from '../store.js'
import { compareIds } from '../tool-set.js'
import { type PgRow, type Query, whole } from './connection.js'
import { announce, raise } from './heads.js'
import type { Tables } from './schema.js'

/** How counts are told apart from those of documents, whose kinds are never called so. */
export const toolsKind = 'tools'
/** So many rows are one statement: more would hold the connection for longer than we wait. */
export const rowsAtOnce = 1000

/** What to select for {@link toolOf}, from {@link fromTools}. */
export const toolColumns = 't.id, t.stored, u.n, u.last, u.temperature'

export const fromTools = ({ tool, use }: Tables): string =>
  `${tool} t left join ${use} u on u.what = '${toolsKind}' and u.id = t.id`

export const toolOf = ({ stored, n, last, temperature }: PgRow): StoredTool => {
  const { id, namespace, source, definition, tags, ...rest } = JSON.parse(String(stored)) as Definition
  return {
    id,
    namespace,
    source,
    definition,
    tags,
    useCount: whole(n ?? 0),
    lastUsed: last === null ? null : whole(last),
    temperature: (temperature ?? 'cold') as Temperature,
    ...rest,
  }
}

/** A tool without its counts, which are apart. */
type Definition = Omit<StoredTool, 'useCount' | 'lastUsed' | 'temperature'>

interface ToolRow {
  readonly tool: StoredTool
  readonly stored: string
  readonly hash: string
}

/** By id, as every writer takes its locks. Of two of one id the later stays. */
export const toRows = (tools: readonly StoredTool[]): readonly ToolRow[] => {
  const byId = new Map(tools.map((tool) => [tool.id, tool]))
  return [...byId.values()].sort((a, b) => compareIds(a.id, b.id)).map(toRow)
}

const toRow = (tool: StoredTool): ToolRow => {
  const { useCount: _, lastUsed: __, temperature: ___, ...definition } = tool
  const stored = JSON.stringify(definition)
  return { tool, stored, hash: createHash('sha256').update(stored).digest('base64url').slice(0, 22) }
}

/** Those that a merge would change; nothing is written for the others. */
export const changedRows = async (
  query: Query,
  { tool }: Tables,
  rows: readonly ToolRow[],
): Promise<readonly ToolRow[]> => {
  if (rows.length === 0) return rows
  const same = await query(
    `select t.id from unnest($1::text[], $2::text[], $3::text[]) as g(id, hash, source) join ${tool} t on t.id = g.id
     where not t.deleted and (t.hash = g.hash or (t.source = '${registeredSource}' and g.source <> t.source))`,
    [rows.map((row) => row.tool.id), rows.map(({ hash }) => hash), rows.map((row) => row.tool.source)],
  )
  const known = new Set(same.map(({ id }) => id))
  return rows.filter((row) => !known.has(row.tool.id))
}

/**
 * Definitions in one statement; the version they carry now. With `keepsCounts` those that are there keep their counts, and
 * one that somebody registered stays under its id.
 */
export const putRows = async (
  query: Query,
  tables: Tables,
  rows: readonly ToolRow[],
  keepsCounts: boolean,
): Promise<number> => {
  const registered = `(tool.deleted or tool.source <> '${registeredSource}' or excluded.source = '${registeredSource}')`
  const counts = keepsCounts
    ? 'do nothing'
    : 'do update set n = excluded.n, last = excluded.last, temperature = excluded.temperature'
  const [row] = await query(
    `with ${raise(tables, `'${toolsKind}'`)},
     given as (select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[],
       $8::text[]) as g(id, source, tags, stored, hash, n, last, temperature)),
     put as (insert into ${tables.tool} as tool (id, source, tags, stored, hash, version)
       select g.id, g.source, g.tags::jsonb, g.stored, g.hash, (select version from raised) from given g
       on conflict (id) do update set source = excluded.source, tags = excluded.tags, stored = excluded.stored,
         hash = excluded.hash, version = excluded.version, deleted = false, at = now()
         where ${keepsCounts ? registered : 'true'}),
     counted as (insert into ${tables.use} as use (what, id, n, last, temperature)
       select '${toolsKind}', g.id, g.n, g.last, g.temperature from given g where (select version from raised) > 0
       on conflict (what, id) ${counts})
     select version, ${announce(tables, `'${toolsKind}'`)} from raised`,
    [
      rows.map(({ tool }) => tool.id),
      rows.map(({ tool }) => tool.source),
      rows.map(({ tool }) => JSON.stringify(tool.tags)),
      rows.map(({ stored }) => stored),
      rows.map(({ hash }) => hash),
      rows.map(({ tool }) => tool.useCount),
      rows.map(({ tool }) => tool.lastUsed),
      rows.map(({ tool }) => tool.temperature),
    ],
  )
  return whole(row?.version)
}

/** The version that its going has; undefined where there was none. */
export const deleteRow = async (query: Query, tables: Tables, id: string): Promise<number | undefined> => {
  const there = await query(`select 1 from ${tables.tool} where id = $1 and not deleted`, [id])
  if (there.length === 0) return undefined
  const [row] = await query(
    `with ${raise(tables, `'${toolsKind}'`)},
     gone as (update ${tables.tool} set deleted = true, stored = '', hash = '', tags = '[]', at = now(),
         version = (select version from raised) where id = $1 and not deleted returning id),
     counted as (delete from ${tables.use} where what = '${toolsKind}' and id in (select id from gone))
     select version, (select count(*) from gone) as n, ${announce(tables, `'${toolsKind}'`)} from raised`,
    [id],
  )
  return whole(row?.n) === 0 ? undefined : whole(row?.version)
}

/**
 * Adds to counts that are there, and tells nobody. Rows are locked by id, so that two who add at
 * once do not wait for each other in a ring.
 */
export const addUses = async (query: Query, tables: Tables, uses: readonly ToolUses[]): Promise<void> => {
  const sums = summedUses(uses)
  if (sums.length === 0) return
  await query(
    `update ${tables.use} as use set n = use.n + g.n, last = greatest(use.last, g.last), temperature =
       case when use.n + g.n >= 10 then 'hot' when use.n + g.n >= 3 then 'warm' else 'cold' end
     from (select o.id, d.n, d.last from unnest($1::text[], $2::bigint[], $3::bigint[]) as d(id, n, last)
       join ${tables.use} o on o.what = '${toolsKind}' and o.id = d.id order by o.id for update of o) as g
     where use.what = '${toolsKind}' and use.id = g.id`,
    [sums.map(({ id }) => id), sums.map(({ count }) => count), sums.map(({ lastUsed }) => lastUsed)],
  )
}

/** One per id, by id. */
export const summedUses = (uses: readonly ToolUses[]): readonly ToolUses[] => {
  const sums = new Map<string, ToolUses>()
  for (const { id, count, lastUsed } of uses) {
    const known = sums.get(id)
    const last = known?.lastUsed == null ? lastUsed : Math.max(known.lastUsed, lastUsed ?? 0)
    sums.set(id, { id, count: (known?.count ?? 0) + count, lastUsed: last })
  }
  return [...sums.values()].sort((a, b) => compareIds(a.id, b.id))
}

/** The query for a part of the tools, and what to bind to it. */
export const selectionQuery = (tables: Tables, selection: ToolSelection): readonly [string, readonly unknown[]] => {
  const { source, notSource, temperature, after, limit } = selection
  const values: unknown[] = []
  const bound = (value: unknown): string => `$${values.push(value)}`
  const conditions = ['not t.deleted']
  if (source !== undefined) conditions.push(`t.source = ${bound(source)}`)
  if (notSource !== undefined) conditions.push(`t.source <> ${bound(notSource)}`)
  if (temperature !== undefined) conditions.push(`coalesce(u.temperature, 'cold') = ${bound(temperature)}`)
  if (after !== undefined) conditions.push(`t.id > ${bound(after)}`)
  const most = limit === undefined ? '' : ` limit ${bound(limit)}`
  return [
    `select ${toolColumns} from ${fromTools(tables)} where ${conditions.join(' and ')} order by t.id${most}`,
    values,
  ]
}
