import type { Buckets } from '../commons.js'
import { type Postgres, whole } from './connection.js'

/**
 * Token buckets in one statement each, in a table that a crash of the database empties: they are full again then, which is
 * all that is lost. What was granted is a column, since a statement cannot give back what was there before it.
 */
export const createBuckets = (database: Postgres): Buckets => {
  const { bucket } = database.tables
  // Never backwards: who waited for the row's lock began before whoever had it.
  const there = `least($3::float8, b.tokens + greatest(0, extract(epoch from statement_timestamp() - b.at)) * 1000 * $3 / $4)`
  const granted = `least($2::float8, floor(${there}))`
  const full = (tokens: string): string =>
    `statement_timestamp() + ($3 - ${tokens}) * ($4::float8 / $3) * interval '1 millisecond'`
  const text = `insert into ${bucket} as b (key, tokens, granted, at, full_at)
    values ($1, $3::float8 - least($2::float8, floor($3::float8)), least($2::float8, floor($3::float8)), statement_timestamp(),
      ${full('0')})
    on conflict (key) do update set granted = ${granted}, tokens = ${there} - ${granted},
      at = greatest(b.at, statement_timestamp()), full_at = ${full('0')}
    returning granted`
  return {
    draw: async (key, wanted, { calls, perMs }) => {
      if (wanted <= 0) return 0
      const [row] = await database.write(text, [key, wanted, calls, perMs])
      return whole(row?.granted)
    },
  }
}
