import type { JsonObject } from '../../model/json.js'
import type { SessionRows } from '../commons.js'
import { type PgRow, type Postgres, whole } from './connection.js'
import { announce, type Heads, raise } from './heads.js'

export const sessionKind = 'session'
const rowsAtOnce = 5000

export const createSessionRows = (database: Postgres, heads: Heads): SessionRows => {
  const { tables } = database
  let known: number | undefined
  const put = async (sid: string, state: string, ended: boolean, until: number): Promise<void> => {
    const [row] = await database.write(
      `with ${raise(tables, `'${sessionKind}'`)},
       put as (insert into ${tables.session} as s (sid, state, ended, version, until)
         values ($1, $2, $3, (select version from raised), to_timestamp($4::float8 / 1000))
         on conflict (sid) do update set state = case when excluded.ended then s.state else excluded.state end,
           ended = s.ended or excluded.ended, version = excluded.version, until = greatest(s.until, excluded.until))
       select version, ${announce(tables, `'${sessionKind}'`)} from raised`,
      [sid, state, ended, until],
    )
    heads.learn(sessionKind, whole(row?.version))
  }
  return {
    get: async (sid) => {
      const [row] = await database.read(
        `select state, ended from ${tables.session} where sid = $1 and until > clock_timestamp()`,
        [sid],
      )
      return row && stateOf(row)
    },
    put: (sid, state, until) => put(sid, JSON.stringify(state), false, until),
    end: (sid, until) => put(sid, '{}', true, until),
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
