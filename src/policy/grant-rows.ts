import type { GatewayError } from '../errors.js'
import type { JsonValue } from '../model/json.js'
import type { SharedDocuments, StoredDocument } from '../storage/store.js'
import { tooManyOpen } from './grant-answers.js'
import { type CallGrant, grantValue, readGrant, stateAt, withoutArguments } from './grants.js'

export const grantBounds = {
  /** Questions of one caller: what one script asks for is one of them. */
  openPerCaller: 16,
  /** Requests of one caller, those of scripts counted one by one: somebody else is to find room as well. */
  requestsPerCaller: 200,
  openInAll: 256,
  keptMs: 30 * 24 * 3600_000,
  mostKept: 2_000,
} as const

/** A grant, and where it lies: under its binding, as a copy under its loose one, or among those that are over. */
export interface KeptGrant {
  readonly key: string
  readonly grant: CallGrant
}

/** Where those lie that are over and whose call was asked about anew. */
const past = 'past/'

/** Grants as documents. Every step is one change with no other write in between, whichever process makes it. */
export class GrantRows {
  readonly #documents: SharedDocuments

  constructor(documents: SharedDocuments) {
    this.#documents = documents
  }

  async get(key: string): Promise<CallGrant | undefined> {
    return readGrant(await this.#documents.get(key))
  }

  async all(): Promise<readonly KeptGrant[]> {
    return rowsOf(await this.#documents.all())
  }

  /** False where there is one under this binding already, or `forbid` says so of what is there. */
  add(grant: CallGrant, forbid: (there: readonly KeptGrant[]) => boolean): Promise<boolean> {
    const { binding } = grant
    return this.#documents.addUnless(
      binding,
      grantValue(grant),
      (there) => there.some(({ id }) => id === binding) || forbid(rowsOf(there)),
    )
  }

  /** Compare and set: what `change` makes of the grant that is there at that moment; undefined, and nothing is written. */
  async change(key: string, change: (there: CallGrant) => CallGrant | undefined): Promise<CallGrant | undefined> {
    let made: CallGrant | undefined
    await this.#documents.update(key, (value: JsonValue) => {
      // May be called more than once: what counts is what the last time made.
      const there = readGrant(value)
      made = there && change(there)
      return made ? grantValue(made) : value
    })
    return made
  }

  /** The request as one of this script's: whoever asks last is told by its run what to have answered. */
  async joined(grant: CallGrant, run: string | undefined): Promise<CallGrant> {
    if (run === undefined || grant.run === run) return grant
    const made = await this.change(grant.binding, (there) =>
      there.id === grant.id && there.state === 'asked' ? { ...there, run } : undefined,
    )
    return made ?? grant
  }

  /** Ends a request that nobody has answered; undefined where somebody has. */
  withdraw({ binding, id }: CallGrant): Promise<CallGrant | undefined> {
    return this.change(binding, (there) =>
      there.id === id && there.state === 'asked'
        ? withoutArguments({ ...there, state: 'expired', note: 'withdrawn by whoever asked' })
        : undefined,
    )
  }

  /** The same yes for calls that differ in what may differ. */
  copy(grant: CallGrant): Promise<void> {
    return this.#documents.put(grant.loose, grantValue(grant))
  }

  keepPast(grant: CallGrant): Promise<void> {
    return this.#documents.put(`${past}${grant.id}`, grantValue(grant))
  }

  /** Ends what nobody answered or used in time, and forgets what is too old. The ends, and when to look again. */
  async sweep(now: number): Promise<{ readonly ended: readonly CallGrant[]; readonly nextMs: number | undefined }> {
    const rows = await this.all()
    const ended: CallGrant[] = []
    for (const { key, grant } of rows.filter(
      ({ grant }) => grant.state !== 'expired' && stateAt(grant, now) === 'expired',
    )) {
      const made = await this.change(key, (there) =>
        there.id === grant.id && there.state !== 'expired' && stateAt(there, now) === 'expired'
          ? withoutArguments({ ...there, state: 'expired' })
          : undefined,
      )
      if (made && !isCopy({ key, grant })) ended.push(made)
    }
    const isOpen = ({ grant }: KeptGrant): boolean => ['asked', 'granted'].includes(stateAt(grant, now))
    const over = rows.filter((row) => !isOpen(row)).sort((a, b) => b.grant.askedAt - a.grant.askedAt)
    const { keptMs, mostKept } = grantBounds
    const old = over.filter(({ grant }, at) => at >= mostKept || grant.askedAt < now - keptMs)
    for (const { key } of old) await this.#documents.delete(key)
    const next = rows.filter(isOpen).map(({ grant }) => grant.expiresAt - now)
    return { ended, nextMs: next.length === 0 ? undefined : Math.max(1, Math.min(...next.filter((ms) => ms > 0))) }
  }

  refresh(): Promise<boolean> {
    return this.#documents.refresh()
  }

  async close(): Promise<void> {
    await this.#documents[Symbol.asyncDispose]()
  }
}

const rowsOf = (documents: readonly StoredDocument[]): readonly KeptGrant[] =>
  documents.flatMap(({ id, value }) => {
    const grant = readGrant(value)
    return grant ? { key: id, grant } : []
  })

export const isCopy = ({ key, grant }: KeptGrant): boolean => key !== grant.binding && !key.startsWith(past)

/** Why there is no room for one more; undefined where there is. */
export const full = (
  there: readonly KeptGrant[],
  { caller, tool, id, run = id }: CallGrant,
  now: number,
): GatewayError | undefined => {
  const open = there.filter(({ grant }) => stateAt(grant, now) === 'asked')
  const { openPerCaller, requestsPerCaller, openInAll } = grantBounds
  const own = open.filter(({ grant }) => grant.caller === caller)
  if (own.length >= requestsPerCaller) return tooManyOpen('caller', requestsPerCaller, tool)
  const questions = new Set(own.map(({ grant }) => grant.run ?? grant.id))
  if (!questions.has(run) && questions.size >= openPerCaller) return tooManyOpen('caller', openPerCaller, tool)
  return open.length >= openInAll ? tooManyOpen('all', openInAll, tool) : undefined
}
