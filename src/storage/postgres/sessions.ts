import type { JsonObject } from '../../model/json.js'
import type { SessionRows } from '../commons.js'
import { type PgRow, type Postgres, whole } from './connection.js'
import { announce, type Heads, raise } from './heads.js'

export const sessionKind = 'session'
const rowsAtOnce = 5000

export const createSessionRows = (database: Postgres, heads: Heads): SessionRows => {
  const { tables } = database
  let known: number | undefined
  // The head's lock comes first, so what is read under it is what is written over.
  const begin = `begin; with ${raise(tables, `'${sessionKind}'`)} select ${announce(tables, `'${sessionKind}'`)} from raised`
  const put = async (sid: string, changes: JsonObject, ended: boolean, until: number): Promise<void> => {
    const version = await database.transaction(async (query) => {
      const [there] = await query(
        `select h.version, s.state from ${tables.head} h left join ${tables.session} s on s.sid = $1 where h.kind = '${sessionKind}'`,
        [sid],
      )
      const state = there?.state == null ? {} : (JSON.parse(String(there.state)) as JsonObject)
      const merged = Object.entries({ ...state, ...changes }).filter(([, value]) => value !== null)
      await query(
        `insert into ${tables.session} as s (sid, state, ended, version, until)
         values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000))
         on conflict (sid) do update set state = excluded.state, ended = s.ended or excluded.ended,
           version = excluded.version, until = greatest(s.until, excluded.until)`,
        [sid, JSON.stringify(Object.fromEntries(merged)), ended, there?.version, until],
      )
      return whole(there?.version)
    }, begin)
    heads.learn(sessionKind, version)
  }
  return {
    get: async (sid) => {
      const [row] = await database.read(
        `select state, ended from ${tables.session} where sid = $1 and until > clock_timestamp()`,
        [sid],
      )
      return row && stateOf(row)
    },
    put: (sid, changes, until) => put(sid, changes, false, until),
    end: (sid, until) => put(sid, {}, true, until),
    changes: async () => {
      const found: (ReturnType<typeof stateOf> & { readonly sid: string })[] = []
      known ??= heads.firstOf(sessionKind)
      for (;;) {
        // Each row was written at a version of its own.
        const rows = await database.read(
          `select sid, state, ended, version from ${tables.session} where version > $1 order by version limit ${rowsAtOnce}`,
          [known],
        )
        for (const row of rows) found.push({ sid: String(row.sid), ...stateOf(row) })
        known = Math.max(known, whole(rows.at(-1)?.version ?? 0))
        if (rows.length < rowsAtOnce) return found
      }
    },
  }
}

const stateOf = ({ state, ended }: PgRow): { readonly state: JsonObject; readonly ended: boolean } => ({
  state: JSON.parse(String(state)) as JsonObject,
  ended: ended === true,
})
