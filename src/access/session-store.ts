import { randomBytes } from 'node:crypto'
import { messageOf } from '../errors.js'
import type { Clock } from '../model/clock.js'
import type { JsonValue } from '../model/json.js'
import type { SharedDocuments } from '../storage/store.js'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import { type FollowedRows, openFollowedRows } from './followed-rows.js'
import { holderOf, parseSecrets, parseSession, toSessionValue } from './session-record.js'
import type { NewSession, SessionEnd, SessionSecrets, SignInSession, SignInSessions } from './sessions.js'

export interface SessionsOptions {
  /** Where the rows are; other processes may change them at any time. */
  readonly documents: SharedDocuments
  /** Where the provider's tokens are, sealed. */
  readonly secrets: SharedDocuments
  readonly clock: Clock
  readonly logger?: Logger | undefined
  /** How often to look for changes by other processes, where nobody tells us of them. Default: 500 ms. */
  readonly followMs?: number | undefined
  /** Where we are told: takes up what others wrote a moment ago. Undefined as an answer while that cannot be done. */
  readonly lookAround?: (() => Promise<void> | undefined) | undefined
  /** How many there may be; the one that was not used for longest makes room. Default: 20,000. */
  readonly most?: number | undefined
  /** How many one person, or one key, may have; the oldest makes room. Default: 100. */
  readonly mostEach?: number | undefined
}

/** How much of its use is noted: a busy session must not cost a write per request. */
export const touchEveryMs = 5 * 60_000
/** How long uses are collected, to be written together. */
export const touchDelayMs = 10_000

/** Reads the sessions and follows them until disposed. Rejects if they cannot be read. */
export const createSessions = async (options: SessionsOptions): Promise<SignInSessions> => {
  const store = new SessionStore(options)
  await store.open()
  return store
}

class SessionStore implements SignInSessions {
  readonly #documents: SharedDocuments
  readonly #secrets: SharedDocuments
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #options: SessionsOptions
  readonly #listeners = new Set<(session: SignInSession, why: SessionEnd) => void>()
  /** Undefined until the first reading is over. */
  #table: FollowedRows<SignInSession> | undefined
  /** Those that count, as they were last seen: what is missing from the next reading has ended. */
  #alive = new Map<string, SignInSession>()
  /** Why those ended that we ended ourselves. */
  readonly #reasons = new Map<string, SessionEnd>()
  #touched = new Map<string, number>()
  #cancelFlush: (() => void) | undefined
  #flushing: Promise<void> = Promise.resolve()

  constructor(options: SessionsOptions) {
    const { documents, secrets, clock, logger = silentLogger } = options
    this.#options = options
    this.#documents = documents
    this.#secrets = secrets
    this.#clock = clock
    this.#logger = logger
  }

  async open(): Promise<void> {
    this.#table = await openFollowedRows<SignInSession>({
      documents: this.#documents,
      clock: this.#clock,
      logger: this.#logger,
      what: 'sign-in sessions',
      parse: parseSession,
      followMs: this.#options.followMs,
      changesAt: ({ endsAt }) => endsAt,
      onChange: (rows) => this.#announce(rows),
    })
  }

  get #rows(): ReadonlyMap<string, SignInSession> {
    return this.#table?.rows ?? new Map()
  }

  async begin({ secrets, ...facts }: NewSession): Promise<SignInSession> {
    const now = this.#clock.wall()
    await this.#makeRoom(holderOf(facts))
    const session: SignInSession = Object.freeze({
      ...facts,
      // What is not whole could not be read again.
      endsAt: Math.floor(facts.endsAt),
      id: randomBytes(24).toString('base64url'),
      createdAt: now,
      lastUsedAt: now,
      checkedAt: now,
      generation: 0,
      isAskable: secrets?.refreshToken !== undefined,
    })
    // The row last: it is what signs somebody in.
    if (secrets) await this.#secrets.put(session.id, secrets as unknown as JsonValue)
    try {
      await this.#documents.put(session.id, toSessionValue(session))
    } catch (error) {
      await this.#forgetSecrets(session.id)
      throw error
    }
    this.#table?.note(session.id, session)
    return session
  }

  find(id: string): SignInSession | undefined {
    const found = this.#rows.get(id)
    return found && found.endsAt > this.#clock.wall() ? found : undefined
  }

  findFresh(id: string): SignInSession | undefined | Promise<SignInSession | undefined> {
    const found = this.find(id)
    if (found || this.#rows.has(id)) return found
    const looking = this.#options.lookAround ? this.#options.lookAround() : this.#table?.refresh()
    return looking?.then(() => this.find(id))
  }

  touch(id: string): void {
    const found = this.#rows.get(id)
    const now = this.#clock.wall()
    if (!found || now - found.lastUsedAt < touchEveryMs || this.#touched.has(id)) return
    this.#touched.set(id, now)
    this.#cancelFlush ??= this.#clock.after(touchDelayMs, () => void this.#flush())
  }

  async update(
    id: string,
    change: (session: SignInSession) => SignInSession | undefined,
    secrets?: SessionSecrets,
  ): Promise<SignInSession | undefined> {
    // Before the row: one that says the provider was asked must not stand beside a token that was used up by asking.
    if (secrets) await this.#secrets.put(id, secrets as unknown as JsonValue)
    let session: SignInSession | undefined
    let changed: SignInSession | undefined
    const found = await this.#documents.update(id, (current) => {
      session = parseSession(id, current)
      changed = session && session.endsAt > this.#clock.wall() ? change(session) : undefined
      return changed ? toSessionValue({ ...changed, id }) : current
    })
    if (!found) {
      this.#table?.note(id, undefined)
      if (secrets) await this.#forgetSecrets(id)
      return undefined
    }
    // As it is there now, also where nothing was changed: another process may have written since we read.
    this.#table?.note(id, changed === undefined ? session : Object.freeze({ ...(changed as SignInSession), id }))
    return changed && this.#rows.get(id)
  }

  async secretsOf(id: string): Promise<SessionSecrets | undefined> {
    return parseSecrets(await this.#secrets.get(id))
  }

  async end(id: string, why: SessionEnd): Promise<boolean> {
    const was = await this.#documents.delete(id)
    this.#reasons.set(id, why)
    try {
      this.#table?.note(id, undefined)
    } finally {
      this.#reasons.delete(id)
    }
    await this.#forgetSecrets(id)
    return was
  }

  list(): readonly SignInSession[] {
    const now = this.#clock.wall()
    return [...this.#rows.values()]
      .filter(({ endsAt }) => endsAt > now)
      .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  }

  onEnd(listener: (session: SignInSession, why: SessionEnd) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#table?.close()
    await this.#flush()
    await this.#documents[Symbol.asyncDispose]()
    await this.#secrets[Symbol.asyncDispose]()
  }

  #announce(rows: ReadonlyMap<string, SignInSession>): void {
    const now = this.#clock.wall()
    const before = this.#alive
    this.#alive = new Map([...rows].filter(([, { endsAt }]) => endsAt > now))
    for (const [id, session] of before)
      if (!this.#alive.has(id))
        this.#tell(session, this.#reasons.get(id) ?? (session.endsAt <= now ? 'expired' : 'ended'))
    for (const [id, { endsAt }] of rows) if (endsAt <= now) void this.#forget(id)
  }

  #tell(session: SignInSession, why: SessionEnd): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(session, why)
      } catch (error) {
        this.#logger.log('error', `A listener for ended sessions failed: ${messageOf(error)}`)
      }
    }
  }

  /** Whose time is up has no row any more; whichever process sees it first takes it away. */
  async #forget(id: string): Promise<void> {
    if (this.#reasons.has(id)) return
    this.#reasons.set(id, 'expired')
    try {
      await this.#documents.delete(id)
      this.#table?.note(id, undefined)
      await this.#forgetSecrets(id)
    } catch {
      // It counts for nothing already; the next look tries again.
    } finally {
      this.#reasons.delete(id)
    }
  }

  async #forgetSecrets(id: string): Promise<void> {
    await this.#secrets
      .delete(id)
      .catch((error: unknown) =>
        this.#logger.log('warn', `What the identity provider gave for a session is not deleted: ${messageOf(error)}`),
      )
  }

  async #makeRoom(holder: string): Promise<void> {
    const { most = 20_000, mostEach = 100 } = this.#options
    const all = this.list()
    const own = all.filter((each) => holderOf(each) === holder)
    const surplus = own.slice(0, Math.max(0, own.length - mostEach + 1))
    if (surplus.length === 0 && all.length >= most)
      surplus.push(...[...all].sort((a, b) => a.lastUsedAt - b.lastUsedAt).slice(0, all.length - most + 1))
    for (const { id } of surplus) await this.end(id, 'ended')
  }

  #flush(): Promise<void> {
    this.#cancelFlush?.()
    this.#cancelFlush = undefined
    this.#flushing = this.#flushing.then(async () => {
      const batch = this.#touched
      this.#touched = new Map()
      const written = await Promise.allSettled(
        [...batch].map(([id, at]) =>
          this.update(id, (session) => (session.lastUsedAt < at ? { ...session, lastUsedAt: at } : undefined)),
        ),
      )
      const failed = written.find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected')
        this.#logger.log('warn', `The use of sign-in sessions is not saved yet: ${messageOf(failed.reason)}`)
    })
    return this.#flushing
  }
}
