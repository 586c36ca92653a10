import { GatewayError, isGatewayError, messageOf } from '../../errors.js'

/** What was asked of the database when it refused. */
export type Asked = 'open' | 'read' | 'write'

/**
 * What a database or the way to it said, as one of our errors. `place` is host, port and database: never the user or the
 * password, and never the driver's own words where those may repeat the address.
 */
export const postgresProblem = (place: string, asked: Asked, error: unknown): GatewayError => {
  if (isGatewayError(error)) return error
  const state = stateOf(error)
  if (isAway(error)) return storeUnavailable(place, error)
  const known = state === undefined ? undefined : advice[state]
  const code = asked === 'write' ? 'STORE_WRITE_FAILED' : 'STORE_UNREADABLE'
  const verb = asked === 'write' ? 'Cannot save to' : asked === 'read' ? 'Cannot read from' : 'Cannot use'
  const reason = known ?? `PostgreSQL says: ${wordsOf(error)}`
  const unchanged = asked === 'write' ? ' What was stored before is unchanged.' : ''
  return new GatewayError(code, `${verb} ${place}: ${reason}${unchanged}`, {
    details: { place, state },
    cause: withoutPassword(error),
  })
}

/** The database does not answer, or answers that it cannot now. What runs goes on; this write or read does not. */
export const storeUnavailable = (place: string, error: unknown): GatewayError => {
  const state = stateOf(error)
  const reason = (state === undefined ? undefined : awayReasons[state]) ?? 'it does not answer'
  return new GatewayError(
    'STORE_UNAVAILABLE',
    `PostgreSQL at ${place} is not available: ${reason}. What is known goes on working; try again when it is back.`,
    { details: { place, state }, cause: withoutPassword(error), retryAfterMs: 1000 },
  )
}

/** Whether the way to the database broke, or it is starting, stopping or full of connections: nothing wrong with what was asked. */
export const isAway = (error: unknown): boolean => {
  const state = stateOf(error)
  if (state !== undefined && (/^08/.test(state) || state in awayReasons)) return true
  return error instanceof Error && lostConnection.test(error.message)
}

/** The tables are not there (yet). */
export const isUnmade = (error: unknown): boolean => ['42P01', '3F000'].includes(stateOf(error) ?? '')

/** A pooler refuses what it does not know of a connection's settings. */
export const isRefusedSetting = (error: unknown): boolean =>
  error instanceof Error && /unsupported startup parameter/i.test(error.message)

export const stateOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const lostConnection =
  /connection (?:terminated|timeout)|timeout exceeded when trying to connect|query read timeout|client was closed|not queryable|server closed the connection|pool after calling end/i

const awayReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its host name cannot be looked up now',
  EHOSTUNREACH: 'no way leads to its host',
  ENETUNREACH: 'no way leads to its network',
  ETIMEDOUT: 'it does not answer',
  ECONNRESET: 'the connection was cut',
  ECONNABORTED: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ENOENT: 'its socket is not there',
  '57P01': 'it is shutting down',
  '57P02': 'it is restarting after a crash',
  '57P03': 'it is starting or shutting down',
  '57014': 'it took longer than we wait',
  '55P03': 'somebody else keeps it locked',
  '53300': 'it has too many connections (raise max_connections, or lower storage.connections)',
  '53200': 'it is out of memory',
  '40P01': 'two writers were in each other’s way',
  '40001': 'two writers were in each other’s way',
}

const advice: Readonly<Record<string, string>> = {
  '28P01': 'the user or the password is wrong. Correct storage.url.',
  '28000':
    'the database does not let this user in (pg_hba.conf, or the user may not log in). Correct storage.url or ask its administrator.',
  '3D000': 'there is no such database. Create it (createdb), or correct storage.url.',
  '42501':
    'this user has not the rights. Grant CREATE on the database, or have its administrator make the schema and give it to this user.',
  '53100': 'the disk of the database is full. Free some space there, then try again.',
  '25006': 'the database is read-only (a standby?). Lead storage.url to the primary.',
  '54000': 'a value is larger than the database takes.',
}

// The driver repeats what the server said, which never holds a password; what it says of an address that it cannot read may.
const wordsOf = (error: unknown): string => hide(messageOf(error)).slice(0, 300)

const hide = (text: string): string => text.replace(/\b(postgres(?:ql)?:\/\/)\S*/gi, '$1…')

const withoutPassword = (error: unknown): unknown =>
  error instanceof Error ? Object.assign(new Error(hide(error.message)), { code: stateOf(error) }) : undefined
