import type { Client } from 'pg'
import { messageOf } from '../../errors.js'
import type { Postgres } from './connection.js'
import { stateOf } from './problems.js'

interface Hearing {
  onNotice(payload: string): void
  /** From now on nothing announced is missed. */
  onListening(): void
}

/** The server said no to what was asked, and is not about to end. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && !/^57P/.test(stateOf(error) ?? '')

const leastPauseMs = 150
const pauseSpreadMs = 200

/**
 * The one connection that hears announcements. It is begun again whenever it ends; where something between us and the
 * database does not let it listen, that is said once and the look each second is all there is.
 */
export class Announcements implements AsyncDisposable {
  readonly #database: Postgres
  readonly #hearing: Hearing
  #client: Client | undefined
  #connecting: Promise<void> | undefined
  #cancel = () => {}
  #isRefused = false
  #isClosed = false

  constructor(database: Postgres, hearing: Hearing) {
    this.#database = database
    this.#hearing = hearing
  }

  start(): void {
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined
    })
  }

  /** Lets go of a connection that may be dead without knowing it. */
  renew(): void {
    if (this.#isClosed || this.#isRefused || this.#connecting) return
    this.#cancel()
    this.#letGo()
    this.start()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    this.#cancel()
    await this.#connecting
    this.#letGo()
  }

  async #connect(): Promise<void> {
    if (this.#isClosed) return
    let client: Client | undefined
    try {
      // The tables first: a database that is not ours, or not there, says so there.
      await this.#database.ready()
      client = await this.#database.lone()
      const mine = client
      mine.on('error', () => this.#lost(mine))
      mine.on('end', () => this.#lost(mine))
      mine.on('notification', ({ payload }) => this.#hearing.onNotice(payload ?? ''))
      await mine.connect()
      this.#client = mine
      await mine.query(`listen "${this.#database.tables.channel}"`)
      if (this.#isClosed) return this.#letGo()
      this.#hearing.onListening()
    } catch (error) {
      const wasConnected = this.#client === client && client !== undefined
      this.#letGo()
      if (wasConnected && isRefusal(error)) return this.#refused(error)
      this.#again()
    }
  }

  #refused(error: unknown): void {
    this.#isRefused = true
    this.#database.logger.log(
      'info',
      'the database announces no changes here (a pooler between us?); it is asked every second instead',
      { reason: messageOf(error).slice(0, 200) },
    )
  }

  #lost(client: Client): void {
    if (this.#client !== client) return
    this.#letGo()
    this.#again()
  }

  #letGo(): void {
    const client = this.#client
    this.#client = undefined
    // Ended without a word, since its far end may never answer.
    client?.end().catch(() => {})
  }

  #again(): void {
    if (this.#isClosed) return
    this.#cancel = this.#database.clock.after(leastPauseMs + Math.random() * pauseSpreadMs, () => this.start())
  }
}
