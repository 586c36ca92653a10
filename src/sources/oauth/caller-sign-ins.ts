import type { Credentials } from '../../mcp/client/signed-transport.js'
import type { CallerCredentials, SignInNews } from '../caller-signing.js'
import type { SignInPlace } from './begin.js'
import {
  type CallerDocuments,
  callerDocumentId,
  createCallerShelf,
  peopleByPlace,
  placeName,
  prefixOf,
} from './caller-shelf.js'
import type { CallerSignIn, PlaceOfPeople, SignedOut } from './caller-view.js'
import { readChallenge } from './discover.js'
import type { ExchangeCredentials, SubjectOf } from './exchange.js'
import type { WantedSignIn } from './interactive.js'
import type { CallerAuth, SignInSurroundings } from './options.js'
import { LentCredentials, listingBy } from './own-credentials.js'
import { keepKey, PastedKeyCredentials, parsePastedKey, readKey } from './pasted-key.js'
import { PersonalCredentials } from './personal.js'
import { revokeTokens } from './revoke.js'
import type { Shelf } from './shelf.js'
import { nobodyHere, notByBrowser, notByKey } from './sign-in-errors.js'

export interface CallerSignInsOptions extends SignInSurroundings {
  /** Sealed, each bound to its id; opened when the first is needed. */
  readonly callerDocuments: () => Promise<CallerDocuments>
  /** The gateway's own registrations at authorization servers. */
  readonly shelf: Shelf
  /** What vouches for a caller at the identity provider. Default: nobody can be exchanged. */
  readonly subjectOf?: SubjectOf | undefined
}

type Held = PersonalCredentials | PastedKeyCredentials | ExchangeCredentials

class PersonalSource {
  readonly own: LentCredentials
  /** Those in use, the last used last: what is let go is read again. */
  readonly held = new Map<string, Held>()
  readonly listeners = new Set<(identity: string, news: SignInNews) => void>()
  constructor(
    readonly name: string,
    readonly server: URL,
    readonly auth: CallerAuth,
    listing: Credentials | undefined,
  ) {
    this.own = new LentCredentials(name, listing)
  }
}

const mostHeld = 1000

/** Who is signed in where, of everybody for themselves. Whatever is asked here is asked of one person by their id. */
export class CallerSignIns {
  readonly #options: CallerSignInsOptions
  readonly #sources = new Map<string, PersonalSource>()
  #documents: Promise<CallerDocuments> | undefined

  constructor(options: CallerSignInsOptions) {
    this.#options = options
  }

  /** What signs the requests of a source at which everybody signs in. With `apart` it is only tried out, and not listed. */
  credentialsOf(name: string, server: URL, auth: CallerAuth, apart?: 'apart'): CallerCredentials {
    const source = new PersonalSource(
      name,
      server,
      auth,
      listingBy(auth.listAs, { ...this.#options, source: name, server }),
    )
    if (apart === undefined) this.#sources.set(name, source)
    return {
      own: source.own,
      of: async (caller, identity) => {
        const held = await this.#heldOf(source, identity.id)
        if ('seen' in held) held.seen(caller)
        if (!held.isFresh()) await held.renew(undefined)
        return held
      },
      onNews: (listener) => {
        source.listeners.add(listener)
        return () => void source.listeners.delete(listener)
      },
    }
  }

  drop(name: string): void {
    this.#sources.delete(name)
  }

  has(name: string): boolean {
    return this.#sources.has(name)
  }

  async listFor(identity: string): Promise<readonly CallerSignIn[]> {
    return Promise.all([...this.#sources.values()].map((source) => this.#infoOf(source, identity)))
  }

  /** Each source at which callers sign in, and how many people have; nobody is named, and what of theirs is not told. */
  async overview(): Promise<readonly PlaceOfPeople[]> {
    const people = this.#sources.size === 0 ? undefined : await peopleByPlace(await this.#open())
    return [...this.#sources.values()].map(({ name, server, auth: { type } }) =>
      type === 'exchange'
        ? { source: name, type }
        : { source: name, type, people: people?.get(placeName(name, server.href)) ?? 0 },
    )
  }

  /** Where this person signs in, and what is known of what that server wants. */
  async placeOf(name: string, identity: string): Promise<{ place: SignInPlace; wanted: WantedSignIn | undefined }> {
    const source = this.#sourceOf(name)
    const { auth, server } = source
    if (auth.type !== 'oauth') throw notByBrowser(name, auth.type)
    const held = (await this.#heldOf(source, identity)) as PersonalCredentials
    const challenge = await readChallenge(source.own.challenge)
    return {
      place: { ...this.#options, source: name, server, auth, shelf: await this.#shelfOf(identity) },
      wanted: held.wanted ?? { challenge, more: false },
    }
  }

  async paste(name: string, identity: string, pasted: unknown): Promise<void> {
    const source = this.#sourceOf(name)
    if (source.auth.type !== 'key') throw notByKey(name)
    const key = parsePastedKey(pasted)
    this.#options.onSecret(key)
    const place = { caller: identity, source: name, server: source.server.href }
    await keepKey(await this.#open(), place, key, this.#options.clock)
    this.signedIn(name, identity)
  }

  /** Somebody has signed in: what is held is read anew, and whoever waits for a first one has it. */
  signedIn(name: string, identity: string): void {
    const source = this.#sources.get(name)
    if (!source) return
    void this.#heldOf(source, identity).then((held) => {
      if (!('seen' in held)) held.reset()
      source.own.lend(identity, held)
      this.#tell(source, identity, 'signed-in')
    })
  }

  /** Ended where it was issued, if that can be, and forgotten here in any case. */
  async signOut(name: string, identity: string): Promise<SignedOut> {
    const source = this.#sourceOf(name)
    const { server, auth } = source
    const documents = await this.#open()
    const id = callerDocumentId(identity, name, server.href)
    const take = async () => {
      const kept = auth.type === 'oauth' ? await (await this.#shelfOf(identity)).find(name, server.href) : undefined
      return { kept, signedOut: await documents.delete(id) }
    }
    // Not while it is renewed: what came of that would live on where nobody knows of it.
    const held = source.held.get(identity)
    if (held instanceof PersonalCredentials) await held.busy
    const { exclusively } = this.#options
    const { kept, signedOut } = await (exclusively ? exclusively(`refresh:${id}`, take) : take())
    this.#forget(source, identity)
    if (!signedOut || !kept?.tokens || auth.type !== 'oauth') return { signedOut }
    return { signedOut, revoked: await revokeTokens(kept, auth.issuer, this.#options) }
  }

  /** They left: whatever is theirs is ended and deleted, also at sources that are gone. How many there were. */
  async end(identity: string): Promise<number> {
    const documents = await this.#open()
    const before = await documents.ids(prefixOf(identity))
    for (const name of this.#sources.keys()) {
      const ended = await this.signOut(name, identity).catch(() => undefined)
      if (ended?.signedOut)
        this.#options.onCredential?.({ action: 'end', source: name, caller: identity, revoked: ended.revoked })
    }
    for (const id of await documents.ids(prefixOf(identity))) await documents.delete(id)
    return before.length
  }

  /** Others may have written: what is held here follows what is kept. */
  async catchUp(): Promise<void> {
    for (const source of this.#sources.values())
      for (const [identity, held] of [...source.held]) {
        if (held instanceof PastedKeyCredentials) {
          const before = held.headers()
          held.reset()
          await held.renew(undefined).catch(() => {})
          if (JSON.stringify(held.headers()) !== JSON.stringify(before)) this.#tell(source, identity, 'signed-out')
        } else if (held instanceof PersonalCredentials && held.isSignedIn) {
          await held.busy
          const kept = await (await this.#shelfOf(identity)).find(source.name, source.server.href)
          if (held.catchUp(kept)) this.#forget(source, identity)
        }
      }
  }

  async #heldOf(source: PersonalSource, identity: string): Promise<Held> {
    const known = source.held.get(identity)
    const held = known ?? (await this.#create(source, identity))
    const now = source.held.get(identity) ?? held
    source.held.delete(identity)
    source.held.set(identity, now)
    if (source.held.size > mostHeld) source.held.delete(source.held.keys().next().value as string)
    return now
  }

  async #create({ name, server, auth }: PersonalSource, identity: string): Promise<Held> {
    const { logger, subjectOf } = this.#options
    if (auth.type === 'exchange') {
      const exchange = await import('./exchange.js')
      return new exchange.ExchangeCredentials({ ...this.#options, source: name, server, auth, subjectOf })
    }
    const documents = await this.#open()
    if (auth.type === 'key') {
      const place = { caller: identity, source: name, server: server.href }
      const read = async (): Promise<string | undefined> => {
        const kept = await readKey(documents, place)
        if (kept) this.#options.onSecret(kept.key)
        return kept?.key
      }
      return new PastedKeyCredentials(name, auth, read, this.#options.page)
    }
    const onLost = (): void =>
      logger.log('info', `The sign-in of a caller at '${name}' is no longer good.`, { source: name })
    return new PersonalCredentials({
      ...this.#options,
      source: name,
      server,
      auth,
      onLost,
      caller: identity,
      shelf: await this.#shelfOf(identity),
    })
  }

  async #infoOf({ name, auth, server }: PersonalSource, identity: string): Promise<CallerSignIn> {
    const base = { source: name, type: auth.type, server: server.origin } as const
    if (auth.type === 'exchange') return { ...base, state: 'by-itself' }
    if (auth.type === 'key') {
      const kept = await readKey(await this.#open(), { caller: identity, source: name, server: server.href })
      return { ...base, state: kept ? 'signed-in' : 'not-signed-in', since: kept?.savedAt, help: auth.help }
    }
    const kept = await (await this.#shelfOf(identity)).find(name, server.href)
    const { tokens } = kept ?? {}
    if (!kept || !tokens) return { ...base, state: 'not-signed-in' }
    const { scope = kept.scope, obtainedAt, expiresAt } = tokens
    return { ...base, state: 'signed-in', scope, since: obtainedAt, expiresAt }
  }

  #forget(source: PersonalSource, identity: string): void {
    const held = source.held.get(identity)
    source.held.delete(identity)
    held?.reset()
    this.#tell(source, identity, 'signed-out')
  }

  #tell(source: PersonalSource, identity: string, news: SignInNews): void {
    for (const listener of [...source.listeners]) listener(identity, news)
  }

  async #shelfOf(identity: string): Promise<Shelf> {
    return createCallerShelf(await this.#open(), this.#options.clock, identity, this.#options.shelf)
  }

  #open(): Promise<CallerDocuments> {
    this.#documents ??= this.#options.callerDocuments().catch((error: unknown) => {
      this.#documents = undefined
      throw error
    })
    return this.#documents
  }

  #sourceOf(name: string): PersonalSource {
    const source = this.#sources.get(name)
    if (source) return source
    throw nobodyHere(name)
  }
}
