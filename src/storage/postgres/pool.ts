import type { Client, Pool, PoolConfig } from 'pg'
import type { Logger } from '../../telemetry/logger.js'
import { isRefusedSetting } from './problems.js'

/** What the driver is told. */
export interface DriverOptions {
  readonly url: string
  readonly connections: number
  /** The longest that one statement may take. */
  readonly patienceMs: number
  /** A pooler stands between us, which takes no settings of a connection. Noted by who finds out. */
  isPooled?: boolean | undefined
}

export const connectMs = 2000
const idleMs = 30_000
const keepAliveMs = 10_000

/** A pool that has connected once; rejects with the driver's error. The driver is loaded here and nowhere else. */
export const openPool = async (options: DriverOptions, logger: Logger): Promise<Pool> => {
  const { Pool } = await import('pg')
  const make = (): Pool => {
    const pool = new Pool({
      ...configOf(options),
      max: options.connections,
      connectionTimeoutMillis: connectMs,
      idleTimeoutMillis: idleMs,
      allowExitOnIdle: true,
    })
    // A connection at rest whose far end went away. The pool has let it go; without a listener the process would end.
    pool.on('error', (error) => logger.log('debug', 'a connection to the database ended', { reason: error.message }))
    return pool
  }
  const pool = make()
  try {
    const client = await pool.connect()
    client.release()
    return pool
  } catch (error) {
    // Nobody is connected; another attempt makes another pool.
    void pool.end()
    if (!isRefusedSetting(error)) throw error
    options.isPooled = true
    return make()
  }
}

/** A connection beside the pool, not yet connected. */
export const loneClient = async (options: DriverOptions): Promise<Client> => {
  const { Client } = await import('pg')
  return new Client({ ...configOf(options), connectionTimeoutMillis: connectMs })
}

const configOf = ({ url, patienceMs, isPooled }: DriverOptions): PoolConfig => ({
  connectionString: url,
  application_name: 'pegboard',
  keepAlive: true,
  keepAliveInitialDelayMillis: keepAliveMs,
  query_timeout: patienceMs,
  // The server gives up before we do, waiting for a connection included: what we call refused must not be done after all. A
  // pooler would refuse the setting, or leave it to whoever gets the connection next; our own clock must be enough there.
  statement_timeout: isPooled ? undefined : patienceMs - connectMs,
})
