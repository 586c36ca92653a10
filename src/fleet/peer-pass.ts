import { createHash, type Hash } from 'node:crypto'
import { readCaller } from '../mcp/handed-over.js'
import type { Caller } from '../model/caller.js'
import type { Clock } from '../model/clock.js'
import type { Seal } from '../model/seal.js'
import type { Replica } from '../storage/commons.js'
import type { OpenedPass, PassRefusal, PeerDoor, PeerPass } from './peers.js'

/** What a pass is bound to. */
export interface PassedRequest {
  readonly method: string
  /** Path and query, as they are written in the request line. */
  readonly target: string
  /** Those of the request that the other side may believe. Names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | Buffer | undefined
  readonly caller: Caller
  readonly epoch?: number | undefined
  /** Of the connection that begins with this request; only who opens the pass learns it. */
  readonly key?: Buffer | undefined
  /** Who is asked: nobody else opens it, nor another process of the same name. */
  readonly to: Pick<Replica, 'name' | 'instance'>
}

/** Writes passes for others and judges those that come. */
export interface PeerPasses extends PeerDoor {
  write(request: PassedRequest): string
}

export interface PeerPassesOptions {
  readonly seal: Seal
  /** Ourselves, as the others know us. */
  readonly us: () => Pick<Replica, 'name' | 'instance'>
  /** By the clock of the store (`Fleet.now`): replicas whose own clocks are an hour apart still agree. */
  readonly now: () => number
  readonly clock: Clock
}

/** How old a pass may be, and how far ahead of us. */
export const passWindowMs = 30_000
// Passes are for what is seldom (a connection, a question, a word to all), so this is far beyond any use.
const mostRemembered = 100_000

/**
 * A pass is sealed, so nobody without the secret reads, changes or makes one; it holds a digest of all that it goes with, so
 * it opens nothing else; it names the process it is for and is taken once, so nobody sends it a second time.
 */
export const createPeerPasses = ({ seal, us, now, clock }: PeerPassesOptions): PeerPasses => {
  const used = new UsedPasses(clock)
  return {
    write: ({ method, target, headers, body, caller, epoch, key, to }) => {
      const names = headers ? Object.keys(headers) : []
      const digest = digestOf(method, target, names, headers ?? {}, body)
      const { name: from } = us()
      const sealedKey = key?.toString('base64url')
      const bound = { from, to: to.name, instance: to.instance, at: now() }
      return seal.close({ ...bound, caller, digest, names, epoch, key: sealedKey })
    },
    open: (header) => {
      const content = seal.open(header)
      if (!content) return refusals.unknown
      const { name, instance } = us()
      if (content.to !== name || content.instance !== instance) return refusals.other
      if (!(Math.abs(now() - Number(content.at)) <= passWindowMs)) return refusals.late
      const pass = toPass(content)
      if (!pass) return refusals.unknown
      const refused = used.take((header as string).slice(-idLength))
      return refused ?? new SealedPass(pass, String(content.digest), namesOf(content.names))
    },
  }
}

// The last characters are the seal's tag: no two passes have the same.
const idLength = 24

/** Which passes have been taken, for at least as long as one is good. */
class UsedPasses {
  #recent = new Set<string>()
  #before = new Set<string>()
  #since: number
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
    this.#since = clock.now()
  }

  take(id: string): PassRefusal | undefined {
    this.#forgetOld()
    if (this.#recent.has(id) || this.#before.has(id)) return refusals.used
    if (this.#recent.size >= mostRemembered) return refusals.busy
    this.#recent.add(id)
    return undefined
  }

  /** One that is dated ahead of us is good for twice the window. */
  #forgetOld(): void {
    const age = this.#clock.now() - this.#since
    if (age < 2 * passWindowMs) return
    this.#before = age < 4 * passWindowMs ? this.#recent : new Set()
    this.#recent = new Set()
    this.#since = this.#clock.now()
  }
}

class SealedPass implements OpenedPass {
  readonly pass: PeerPass
  readonly #digest: string
  readonly #names: readonly string[]

  constructor(pass: PeerPass, digest: string, names: readonly string[]) {
    this.pass = pass
    this.#digest = digest
    this.#names = names
  }

  fits(
    method: string,
    target: string,
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
    body: string | Buffer | undefined,
  ): PeerPass | undefined {
    const own = Object.fromEntries(this.#names.map((name) => [name, String(headers[name] ?? '')]))
    // The digest came sealed, so who tries to find it out by the time this takes has nothing to try with.
    return digestOf(method, target, this.#names, own, body) === this.#digest
      ? { ...this.pass, headers: own }
      : undefined
  }
}

const digestOf = (
  method: string,
  target: string,
  names: readonly string[],
  headers: Readonly<Record<string, string>>,
  body: string | Buffer | undefined,
): string => {
  const hash = createHash('sha256')
  part(hash, method)
  part(hash, target)
  for (const name of names) {
    part(hash, name)
    part(hash, headers[name] ?? '')
  }
  part(hash, '')
  return (body === undefined ? hash : hash.update(body)).digest('base64url')
}

/** With its length, so that what ends one part cannot be the beginning of the next. */
const part = (hash: Hash, text: string): void => {
  hash.update(`${Buffer.byteLength(text)}:`).update(text)
}

const namesOf = (names: unknown): readonly string[] =>
  Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []

const toPass = ({ from, caller, epoch, key }: Readonly<Record<string, unknown>>): PeerPass | undefined => {
  const known = readCaller(caller)
  if (typeof from !== 'string' || !known) return undefined
  return {
    from,
    caller: known,
    epoch: typeof epoch === 'number' ? epoch : undefined,
    key: typeof key === 'string' ? Buffer.from(key, 'base64url') : undefined,
    headers: {},
  }
}

const refusals = {
  unknown: { refused: 'it is none of this fleet: the replicas must have the same fleet.secret' },
  other: { refused: 'it is for another replica, or for an earlier process of this name' },
  late: { refused: 'it is older than 30 seconds by the clock of the database' },
  used: { refused: 'it was used before' },
  busy: { refused: 'too many came at once' },
} as const satisfies Readonly<Record<string, PassRefusal>>
