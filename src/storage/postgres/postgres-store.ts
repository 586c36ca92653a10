import { isGatewayError, messageOf } from '../../errors.js'
import { checkKind } from '../documents.js'
import { storeClosed } from '../problems.js'
import {
  registeredSource,
  type SharedDocuments,
  type Store,
  type StoredTool,
  type StoreProblem,
  type ToolUses,
} from '../store.js'
import { parseStoredTool, toStoredTool } from '../stored-tool.js'
import { checkTemperature, type StoreChange } from '../tool-set.js'
import { createWriteQueue } from '../write-queue.js'
import { type Postgres, patienceMs, type Query, whole } from './connection.js'
import { openPostgresDocuments } from './documents.js'
import type { Heads } from './heads.js'
import { selectTools } from './read-postgres.js'
import { ToolFollower } from './tool-follower.js'
import {
  addUses,
  changedRows,
  deleteRow,
  fromTools,
  putRows,
  rowsAtOnce,
  toolColumns,
  toolOf,
  toolsKind,
  toRows,
} from './tool-rows.js'

/** Tools in a database that several processes write. What is unchanged is not written, and counts tell nobody. */
export const openPostgresStore = async (database: Postgres, heads: Heads): Promise<Store> => {
  await database.ready()
  // Whoever follows is told what comes after what is known now.
  await heads.begin()
  return createStore(database, heads)
}

const createStore = (database: Postgres, heads: Heads): Store => {
  const { tables, read } = database
  const kinds = new Map<string, SharedDocuments>()
  const follower = new ToolFollower(database, heads)
  let closing: Promise<void> | undefined
  const checkOpen = () => {
    if (closing) throw storeClosed(database.place)
  }
  const queue = createWriteQueue<StoreChange>((changes) =>
    follower.writing(async () => {
      const effects: boolean[] = []
      for (const change of folded(changes, effects)) {
        const { effect, version } = await apply(database, change)
        if (version !== undefined) follower.wrote(version)
        effects.push(effect)
      }
      return effects
    }),
  )
  const write = async (change: () => StoreChange): Promise<boolean> => {
    checkOpen()
    return queue.push(change())
  }
  const tools = async (text: string, values: readonly unknown[]): Promise<readonly StoredTool[]> => {
    checkOpen()
    return (await read(text, values)).map(toolOf)
  }
  const select = `select ${toolColumns} from ${fromTools(tables)} where not t.deleted`

  return {
    load: async () => {
      checkOpen()
      return selectTools(read, database, {})
    },
    save: async (tool) => void (await write(() => ({ type: 'put', tools: [toStoredTool(tool)] }))),
    saveMany: async (many) => void (await write(() => ({ type: 'put', tools: many.map(toStoredTool) }))),
    delete: async (id) => write(() => ({ type: 'delete', id })),
    validate: async () => {
      checkOpen()
      return findProblems(database)
    },
    loadByTemperature: async (temperature, limit) => {
      checkTemperature(temperature, limit)
      return tools(`${select} and coalesce(u.temperature, 'cold') = $1 order by coalesce(u.n, 0) desc, t.id limit $2`, [
        temperature,
        limit ?? null,
      ])
    },
    loadByTag: (tag) => tools(`${select} and t.tags @> $1::jsonb order by t.id`, [JSON.stringify([tag])]),
    select: async (selection) => {
      checkOpen()
      return selectTools(read, database, selection)
    },
    uses: async () => {
      checkOpen()
      return (await read(`select id, n, last from ${tables.use} where what = $1 and n > 0`, [toolsKind])).map(
        ({ id, n, last }): ToolUses => ({
          id: String(id),
          count: whole(n),
          lastUsed: last === null ? null : whole(last),
        }),
      )
    },
    merge: async (changed, uses) =>
      void (await write(() => ({ type: 'merge', tools: changed.map(toStoredTool), uses: [...uses] }))),
    kinds: async () => {
      checkOpen()
      const rows = await read(`select distinct kind from ${tables.document} where not deleted order by kind`)
      return rows.map(({ kind }) => String(kind))
    },
    documents: (kind) => {
      checkOpen()
      const set = kinds.get(checkKind(kind)) ?? openPostgresDocuments(database, heads, kind, checkOpen)
      kinds.set(kind, set)
      return set
    },
    add: async (given) => {
      checkOpen()
      const added = given.map(toStoredTool)
      return follower.writing(async () => {
        const { taken, version } = await addTools(database, added)
        if (version !== undefined) follower.wrote(version)
        return taken
      })
    },
    follow: (listener) => follower.follow(listener),
    [Symbol.asyncDispose]: () => {
      closing ??= (async () => {
        await queue.idle()
        await Promise.all([...kinds.values()].map((set) => set[Symbol.asyncDispose]()))
        await follower[Symbol.asyncDispose]()
      })()
      return closing
    },
  }
}

/** Saves in a row are one write; the last of an id stays. An effect is noted for each that travels with another. */
const folded = function* (changes: readonly StoreChange[], effects: boolean[]): Generator<StoreChange> {
  for (let at = 0; at < changes.length; at++) {
    const change = changes[at]!
    if (change.type !== 'put') {
      yield change
      continue
    }
    const tools = [...change.tools]
    for (let next = changes[at + 1]; next?.type === 'put'; next = changes[at + 1]) {
      tools.push(...next.tools)
      effects.push(true)
      at++
    }
    yield { type: 'put', tools }
  }
}

interface Applied {
  readonly effect: boolean
  readonly version?: number | undefined
}

const apply = async (database: Postgres, change: StoreChange): Promise<Applied> => {
  const { tables } = database
  if (change.type === 'delete') {
    const version = await deleteRow(database.write, tables, change.id)
    return { effect: version !== undefined, version }
  }
  if (change.type === 'put') return { effect: true, version: await put(database, toRows(change.tools), false, []) }
  const changed = await changedRows(database.read, tables, toRows(change.tools))
  return { effect: true, version: await put(database, changed, true, change.uses) }
}

/** One statement where that is all, so that a save is one round trip. */
const put = async (
  database: Postgres,
  rows: ReturnType<typeof toRows>,
  keepsCounts: boolean,
  uses: readonly ToolUses[],
): Promise<number | undefined> => {
  const { tables } = database
  if (rows.length === 0) {
    await addUses(database.write, tables, uses)
    return undefined
  }
  if (rows.length <= rowsAtOnce && uses.length === 0) return putRows(database.write, tables, rows, keepsCounts)
  const parts = Math.ceil(rows.length / rowsAtOnce)
  return database.transaction(
    async (query) => {
      let version: number | undefined
      for (let part = 0; part < parts; part++)
        version = await putRows(query, tables, rows.slice(part * rowsAtOnce, (part + 1) * rowsAtOnce), keepsCounts)
      await addUses(query, tables, uses)
      return version
    },
    'begin',
    patienceMs * Math.max(1, parts / 4),
  )
}

/** Under the lock of the head, so that of two who register one name at two replicas one is refused. */
const addTools = (
  database: Postgres,
  tools: readonly StoredTool[],
): Promise<{ readonly taken?: string | undefined; readonly version?: number | undefined }> => {
  const { tables } = database
  const rows = toRows(tools)
  if (rows.length === 0) return Promise.resolve({})
  const begin = `begin; insert into ${tables.head} (kind, version) values ('${toolsKind}', 0) on conflict do nothing; select version from ${tables.head} where kind = '${toolsKind}' for update`
  return database.transaction(async (query) => {
    const [taken] = await query(
      `select id from ${tables.tool} where id = any($1) and not deleted and source = $2 order by id limit 1`,
      [rows.map(({ tool }) => tool.id), registeredSource],
    )
    return taken ? { taken: String(taken.id) } : { version: await putRows(query, tables, rows, false) }
  }, begin)
}

const findProblems = async (database: Postgres): Promise<readonly StoreProblem[]> => {
  const problems: StoreProblem[] = []
  const file = database.place
  try {
    for (let after = ''; ; ) {
      const rows = await pageOf(database.read, database, after)
      for (const row of rows) {
        try {
          parseStoredTool(toolOf(row))
        } catch (error) {
          problems.push({ file, reason: `tool '${String(row.id).slice(0, 128)}': ${messageOf(error)}` })
        }
      }
      if (rows.length < rowsAtOnce) return problems
      after = String(rows.at(-1)?.id)
    }
  } catch (error) {
    if (!isGatewayError(error)) throw error
    return [...problems, { file, reason: error.message }]
  }
}

const pageOf = (query: Query, { tables }: Postgres, after: string) =>
  query(
    `select ${toolColumns} from ${fromTools(tables)} where not t.deleted and t.id > $1 order by t.id limit ${rowsAtOnce}`,
    [after],
  )
