import type { Client, Pool, PoolClient, QueryConfig } from 'pg'
import { type Clock, systemClock } from '../../model/clock.js'
import { type Logger, silentLogger } from '../../telemetry/logger.js'
import { storeClosed } from '../problems.js'
import { parseAddress } from './address.js'
import { isGone, twice } from './again.js'
import { checkVersions, migrate } from './migrate.js'
import { connectMs, type DriverOptions, loneClient, openPool } from './pool.js'
import { type Asked, isAway, isUnmade, postgresProblem, storeUnavailable } from './problems.js'
import { type Tables, tablesOf } from './schema.js'

export interface DatabaseOptions {
  readonly url: string | undefined
  /** Default: `pegboard`. */
  readonly schema?: string | undefined
  /** Default: 5. */
  readonly connections?: number | undefined
  readonly logger?: Logger | undefined
  readonly clock?: Clock | undefined
}

export type PgRow = Readonly<Record<string, unknown>>
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly PgRow[]>

/** The longest that a write or a read takes before it is refused, waiting for a connection included. */
export const patienceMs = 5000

/**
 * The connections of this process to one database. Whether it is there is known from what was last asked of it: while it is
 * not, and somebody looks after it every second, everybody else is refused at once instead of waiting their turn to fail.
 */
export class Postgres implements AsyncDisposable {
  readonly place: string
  readonly tables: Tables
  readonly clock: Clock
  readonly logger: Logger
  readonly #driver: DriverOptions
  readonly #upListeners = new Set<(isUp: boolean) => void>()
  #pool: Promise<Pool> | undefined
  #migrated: Promise<void> | undefined
  #checked: Promise<void> | undefined
  #state: 'unknown' | 'up' | 'away' = 'unknown'
  #isWatched = false
  #closing: Promise<void> | undefined

  constructor({
    url,
    schema = 'pegboard',
    connections = 5,
    logger = silentLogger,
    clock = systemClock,
  }: DatabaseOptions) {
    const address = parseAddress(url)
    this.place = address.place
    this.tables = tablesOf(schema)
    this.#driver = { url: address.url, connections, patienceMs }
    this.logger = logger
    this.clock = clock
  }

  get isUp(): boolean {
    return this.#state === 'up'
  }

  /** It did not answer when it was last asked. */
  get isAway(): boolean {
    return this.#state === 'away'
  }

  onUp(listener: (isUp: boolean) => void): () => void {
    this.#upListeners.add(listener)
    return () => this.#upListeners.delete(listener)
  }

  /** Somebody asks every second from now on, so that who else asks need not find out for themselves. */
  watched(): void {
    this.#isWatched = true
  }

  /** Makes or upgrades the tables, once; a failure is forgotten, so that the next who asks tries again. */
  async ready(): Promise<void> {
    this.#migrated ??= this.#attempt('open', () => migrate(this)).catch((error: unknown) => {
      this.#migrated = undefined
      throw error
    })
    return this.#migrated
  }

  /** One statement that changes nothing. Asked again where the connection turns out to be dead. */
  read: Query = async (text, values) => {
    await this.#mayAsk()
    return this.#attempt('read', () => twice(() => this.query(text, values)))
  }

  /** The same for who only looks: no table is made for it. */
  look: Query = async (text, values) => {
    this.#checkOpen()
    return this.#attempt('read', async () => {
      this.#checked ??= checkVersions(this).catch((error: unknown) => {
        this.#checked = undefined
        throw error
      })
      await this.#checked
      return twice(() => this.query(text, values))
    })
  }

  /** One statement by itself. Never asked twice: it may have been done. */
  write: Query = async (text, values) => {
    await this.#mayAsk()
    return this.#attempt('write', () => this.query(text, values))
  }

  /** For who looks after the database: not refused while it is away. */
  probe: Query = async (text, values) => {
    this.#checkOpen()
    await this.ready()
    return this.#attempt('read', () => this.query(text, values)).catch((error: unknown) => {
      // Put back to a time before us, or emptied: the next who asks makes the tables again.
      if (isUnmade((error as Error).cause)) this.#migrated = undefined
      throw error
    })
  }

  /** All or nothing. Begun again once where the connection is lost before the end was asked for. */
  async transaction<T>(work: (query: Query) => Promise<T>, begin = 'begin', timeMs = patienceMs): Promise<T> {
    await this.#mayAsk()
    return this.#attempt('write', (isLate) => twice(() => this.#inTransaction(work, begin, isLate)), timeMs)
  }

  /** Without any of our care: the driver's own errors. */
  query: Query = async (text, values) => {
    const pool = await this.#openPool()
    return (await pool.query({ text, values: values as unknown[] })).rows
  }

  /** One connection for `work`, which has as much time as it needs; the driver's own errors. */
  async onOne<T>(work: (query: Query) => Promise<T>, timeMs: number): Promise<T> {
    return this.#withClient((client) => work(queryOn(client, timeMs)))
  }

  /** A connection beside the pool, not yet connected. */
  lone(): Promise<Client> {
    return loneClient(this.#driver)
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= (async () => {
      const pool = await this.#pool?.catch(() => undefined)
      // A connection whose far end is gone would be waited for; and nobody waits for the wait, least of all a command.
      let cancel = () => {}
      const late = new Promise<void>((resolve) => {
        cancel = this.clock.after(connectMs, resolve, true)
      })
      await Promise.race([pool?.end(), late])
      cancel()
    })()
    return this.#closing
  }

  get isClosed(): boolean {
    return this.#closing !== undefined
  }

  #checkOpen(): void {
    if (this.#closing) throw storeClosed(this.place)
  }

  async #mayAsk(): Promise<void> {
    this.#checkOpen()
    if (this.#isWatched && this.#state === 'away') throw storeUnavailable(this.place, undefined)
    await this.ready()
  }

  async #attempt<T>(
    asked: Asked,
    work: (isLate: () => boolean) => Promise<T>,
    timeMs = asked === 'open' ? 30_000 : patienceMs,
  ) {
    let late = false
    let cancel = () => {}
    const tooLong = new Promise<never>((_, reject) => {
      cancel = this.clock.after(
        timeMs,
        () => {
          late = true
          reject(storeUnavailable(this.place, new Error('query read timeout')))
        },
        true,
      )
    })
    try {
      const result = await Promise.race([work(() => late), tooLong])
      this.#note(true)
      return result
    } catch (error) {
      this.#checkOpen()
      const problem = postgresProblem(this.place, asked, error)
      if (isGone(problem.details?.state, error)) this.#note(false)
      throw problem
    } finally {
      cancel()
    }
  }

  #note(isUp: boolean): void {
    const state = isUp ? 'up' : 'away'
    if (this.#state === state || this.#closing) return
    const before = this.#state
    this.#state = state
    if (before === 'up' && state === 'away')
      this.logger.log('warn', 'the database does not answer; what is known goes on working', { place: this.place })
    if (this.#isWatched && before === 'away')
      this.logger.log('info', 'the database answers again', { place: this.place })
    for (const tell of [...this.#upListeners]) tell(isUp)
  }

  async #inTransaction<T>(work: (query: Query) => Promise<T>, begin: string, isLate: () => boolean): Promise<T> {
    return this.#withClient(async (client) => {
      const query = queryOn(client, patienceMs)
      await query(begin)
      const result = await work(query)
      // Whoever asked was told that it failed.
      if (isLate()) throw new Error('query read timeout')
      try {
        await query('commit')
      } catch (error) {
        throw Object.assign(error as Error, { wasEnding: true })
      }
      return result
    })
  }

  async #withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await (await this.#openPool()).connect()
    let failed: unknown
    // Cut between two of our statements, it is nobody's answer that fails; without a listener the process would end.
    const cut = (error: Error): void => {
      failed ??= error
    }
    client.on('error', cut)
    try {
      return await work(client)
    } catch (error) {
      failed = error
      if (!isAway(error))
        failed = await client.query('rollback').then(
          () => undefined,
          (rollback: unknown) => rollback,
        )
      throw error
    } finally {
      client.off('error', cut)
      // One that failed in the middle of something is not handed to the next.
      client.release(failed as Error | undefined)
    }
  }

  #openPool(): Promise<Pool> {
    this.#pool ??= openPool(this.#driver, this.logger).catch((error: unknown) => {
      this.#pool = undefined
      throw error
    })
    return this.#pool
  }
}

/** Its types do not know that a statement may have a time of its own. */
interface TimedQuery extends QueryConfig {
  readonly query_timeout: number
}

/** Numbers of 64 bits come as texts, and are ours only up to 2^53. */
export const whole = (value: unknown): number => Number(value)

const queryOn =
  (client: PoolClient, timeMs: number): Query =>
  async (text, values) => {
    // Without values several statements may travel as one.
    const config: TimedQuery = { text, query_timeout: timeMs }
    if (values !== undefined) config.values = values as unknown[]
    return (await client.query(config)).rows
  }
