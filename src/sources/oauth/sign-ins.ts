import { messageOf } from '../../errors.js'
import type { Credentials } from '../../mcp/client/signed-transport.js'
import type { CallerCredentials } from '../caller-signing.js'
import type { SignInPage } from '../sign-in-required.js'
import { type BegunSignIn, beginSignIn, type CameBack, finishSignIn, type SignInPlace } from './begin.js'
import type { CallerDocuments } from './caller-shelf.js'
import { CallerSignIns } from './caller-sign-ins.js'
import type { CallerSignIn, SignedOut } from './caller-view.js'
import type { SubjectOf } from './exchange.js'
import { InteractiveCredentials, type WantedSignIn } from './interactive.js'
import { MachineCredentials } from './machine.js'
import { type CallerAuth, isCallerAuth, type OAuthSignIn, type SignInSurroundings, type SourceAuth } from './options.js'
import { createPending, type SharedPending } from './pending.js'
import { revokeTokens } from './revoke.js'
import { createShelf, type SignInDocuments } from './shelf.js'
import { byItself, forThemselves, notHere, notWhoBegan, nowhere, nowhereKept, unknownState } from './sign-in-errors.js'

export interface SignInsOptions extends SignInSurroundings {
  /** File rights are the store's business: only its owner can read it. */
  readonly documents: SignInDocuments
  /** Where a browser may come back to another process. Default: in memory. */
  readonly pending?: SharedPending | undefined
  /** Where the sign-ins of callers are. Default: nowhere, so that nobody can sign in for themselves. */
  readonly callerDocuments?: (() => Promise<CallerDocuments>) | undefined
}

/** A source with an address that may ask for a sign-in. */
export interface SignInSource {
  readonly name: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly auth?: SourceAuth | undefined
}

/** A source with an address at which each caller signs in. */
export interface CallerSignInSource extends Pick<SignInSource, 'name' | 'url'> {
  readonly auth: CallerAuth
}

export interface SignInInfo {
  readonly source: string
  /** How: by a person, or by the gateway itself. */
  readonly type: SourceAuth['type']
  readonly state: 'signed-in' | 'needs-sign-in' | 'waiting' | 'not-signed-in' | 'per-caller'
  /** Where everybody signs in for themselves: how many have. */
  readonly people?: number | undefined
  readonly issuer?: string | undefined
  readonly scope?: string | undefined
  readonly expiresAt?: number | undefined
  /** Why the last sign-in did not work, until another is begun. */
  readonly problem?: string | undefined
}

/** How the sources are signed in where they are, and how somebody does so. */
export interface SignIns {
  /**
   * What signs the requests of this source; undefined where it has an Authorization header of its own. With `apart` it is
   * not listed: for a source that is only tried out.
   */
  credentialsOf(source: SignInSource, apart?: 'apart'): Credentials | undefined
  /** The same for a source at which each caller signs in for themselves. */
  callersOf(source: CallerSignInSource, apart?: 'apart'): CallerCredentials
  /** The source is gone. What is kept of it stays, for it may come back. */
  drop(name: string): void
  list(): Promise<readonly SignInInfo[]>
  /**
   * A link at which somebody can sign in, good for ten minutes and one use. With `caller`, the id of an identity: for this
   * person alone, who must be the one that comes back.
   */
  begin(name: string, caller?: string): Promise<{ readonly url: string; readonly expiresAt: number }>
  /**
   * What a browser brought to the redirect URL. The source that is signed in now, or a refusal. `by` is whose browser it is:
   * a link that somebody sent to another would give them the other's account.
   */
  finish(state: string, back: CameBack, by?: string): Promise<{ readonly source: string }>
  /** Ends it where it was issued, and forgets all that is kept of a source, or what this person has there. */
  signOut(name: string, caller?: string): Promise<SignedOut>
  /** What this person has, at all sources where everybody signs in for themselves. */
  listFor(caller: string): Promise<readonly CallerSignIn[]>
  /** Keeps the key that this person pasted. */
  paste(name: string, caller: string, key: string): Promise<void>
  /** This person left: whatever they have anywhere is ended and deleted. How many there were. */
  endCaller(caller: string): Promise<number>
  /** Somebody else may have signed in, out, or renewed: what is held here follows what is kept. Never rejects. */
  catchUp(): Promise<void>
  /**
   * Where browsers are sent back to, asked at every sign-in. Nobody can sign in while it is unknown. `page` is where people
   * sign in for themselves: whoever is refused is told.
   */
  listenAt(redirectUrl: () => string | undefined, page?: SignInPage): void
  /** What vouches for callers at the identity provider. Nobody is exchanged for while it is unknown. */
  vouchBy(subjectOf: SubjectOf): void
  /** Told which source was signed in or lost its sign-in, so that it can be started anew. */
  onChange(listener: (source: string) => void): () => void
}

interface Listed {
  readonly server: URL
  readonly auth: SourceAuth | undefined
  readonly credentials: InteractiveCredentials | MachineCredentials
}

export const createSignIns = (options: SignInsOptions): SignIns => {
  const { clock, logger, callerDocuments = nowhereKept } = options
  const shelf = createShelf(options.documents, clock)
  let subjectOf: SubjectOf = async () => undefined
  let pageAt: SignInPage | undefined
  const callers = new CallerSignIns({
    ...{ ...options, shelf, callerDocuments },
    subjectOf: (caller) => subjectOf(caller),
    page: () => pageAt?.(),
  })
  const pending = createPending<BegunSignIn>(clock, options.pending, mostPending)
  const sources = new Map<string, Listed>()
  const listeners = new Set<(source: string) => void>()
  const problems = new Map<string, string>()
  /** Those whose code is being redeemed: neither on their way any more nor signed in yet. */
  const redeeming = new Set<BegunSignIn>()
  let redirectAt: () => string | undefined = () => undefined

  const tell = (source: string): void => {
    for (const listener of listeners) listener(source)
  }
  const create = (name: string, server: URL, auth: SourceAuth | undefined): Listed['credentials'] => {
    const common = { ...options, source: name, server, shelf }
    if (auth?.type === 'client-credentials' || auth?.type === 'private-key-jwt')
      return new MachineCredentials({ ...common, auth })
    const onLost = (): void => {
      logger.log('warn', `The sign-in of '${name}' is no longer good.`, { source: name })
      tell(name)
    }
    return new InteractiveCredentials({ ...common, auth: auth?.type === 'oauth' ? auth : undefined, onLost })
  }
  const interactive = (name: string): Listed & { readonly credentials: InteractiveCredentials } => {
    const found = sources.get(name)
    if (!found) throw callers.has(name) ? forThemselves(name) : notHere(name)
    if (!(found.credentials instanceof InteractiveCredentials)) throw byItself(name)
    return { ...found, credentials: found.credentials }
  }
  const sharedPlace = (name: string): { readonly place: SignInPlace; readonly wanted: WantedSignIn | undefined } => {
    const { server, auth, credentials } = interactive(name)
    const place = { ...options, source: name, server, shelf, auth: (auth ?? plainSignIn) as OAuthSignIn }
    return { place, wanted: credentials.wanted }
  }
  const resetAndTell = (name: string): void => {
    const { credentials } = sources.get(name) ?? {}
    if (credentials instanceof InteractiveCredentials) credentials.reset()
    tell(name)
  }
  let looking: Promise<void> | undefined
  let lookAgain = false
  const look = async (): Promise<void> => {
    do {
      lookAgain = false
      for (const { credentials } of sources.values())
        if (credentials instanceof InteractiveCredentials) await credentials.busy
      await callers.catchUp()
      const all = await shelf.all()
      for (const [name, { server, credentials }] of sources) {
        if (!(credentials instanceof InteractiveCredentials)) continue
        const kept = all.find((each) => each.source === name && each.server === server.href)
        // One that is being renewed reads what is kept by itself; whether it is right is seen when it is done.
        if (credentials.busy) lookAgain = true
        else if (credentials.catchUp(kept)) tell(name)
      }
    } while (lookAgain)
  }
  const catchUp = (): Promise<void> => {
    lookAgain = true
    looking ??= look()
      .catch((error: unknown) => logger.log('warn', `The sign-ins cannot be read: ${messageOf(error)}`))
      .then(() => {
        looking = undefined
        // Asked for after the last look had begun to end.
        return lookAgain ? catchUp() : undefined
      })
    return looking
  }
  const infoOf = async (source: string, { server, auth, credentials }: Listed): Promise<SignInInfo> => {
    const kept = await shelf.find(source, server.href)
    const base = { source, type: auth?.type ?? 'oauth', issuer: kept ? shown(kept.issuer) : undefined } as const
    if (credentials instanceof MachineCredentials)
      return { ...base, state: credentials.isSignedIn ? 'signed-in' : 'not-signed-in' }
    const { scope, tokens } = kept ?? {}
    const waits = [...pending.waiting(), ...redeeming].some(
      (begun) => begun.source === source && begun.caller === undefined,
    )
    const problem = problems.get(source)
    const state = waits ? 'waiting' : credentials.wanted ? 'needs-sign-in' : tokens ? 'signed-in' : 'not-signed-in'
    return {
      ...base,
      state,
      problem,
      scope,
      expiresAt: tokens?.expiresAt,
    }
  }

  return {
    credentialsOf: ({ name, url, headers, auth }, apart) => {
      if (isCallerAuth(auth) || (!auth && Object.keys(headers).some((each) => each.toLowerCase() === 'authorization')))
        return undefined
      const server = toHttp(url)
      const credentials = create(name, server, auth)
      if (apart === undefined) sources.set(name, { server, auth, credentials })
      return credentials
    },
    callersOf: ({ name, url, auth }, apart) => callers.credentialsOf(name, toHttp(url), auth, apart),
    drop: (name) => {
      sources.delete(name)
      callers.drop(name)
      problems.delete(name)
      pending.drop(({ source }) => source === name)
    },
    list: async () => [
      ...(await Promise.all([...sources].map(([name, listed]) => infoOf(name, listed)))),
      ...(await callers.overview()).map((each) => ({ ...each, state: 'per-caller' as const })),
    ],
    begin: async (name, caller) => {
      const { place, wanted } = caller === undefined ? sharedPlace(name) : await callers.placeOf(name, caller)
      if (caller === undefined) problems.delete(name)
      const redirectUrl = redirectAt()
      if (redirectUrl === undefined) throw nowhere()
      let expiresAt = 0
      const url = await beginSignIn(place, wanted, redirectUrl, async (begun) => {
        // One link at a time: whoever begins again has lost the first.
        pending.drop((each) => each.source === name && each.caller === caller)
        const kept = await pending.add({ ...begun, caller })
        expiresAt = kept.expiresAt
        return kept.state
      })
      logger.log('info', `A sign-in at ${url.origin} was begun for '${name}'.`, { source: name })
      return { url: url.href, expiresAt }
    },
    finish: async (state, back, by) => {
      const begun = await pending.take(state)
      if (!begun) throw unknownState()
      const { source, server, caller } = begun
      if (caller !== undefined && caller !== by) throw notWhoBegan()
      const { place } = caller === undefined ? sharedPlace(source) : await callers.placeOf(source, caller)
      // What goes by this name leads elsewhere by now, or elsewhere here than where it was begun.
      if (place.server.href !== server) throw unknownState()
      redeeming.add(begun)
      try {
        await finishSignIn(place, begun, back)
      } catch (error) {
        if (caller === undefined) problems.set(source, messageOf(error))
        throw error
      } finally {
        redeeming.delete(begun)
      }
      if (caller !== undefined) callers.signedIn(source, caller)
      else resetAndTell(source)
      logger.log('info', `'${source}' is signed in.`, { source })
      return { source }
    },
    signOut: async (name, caller) => {
      pending.drop((each) => each.source === name && each.caller === caller)
      if (caller !== undefined) return callers.signOut(name, caller)
      const { server, auth } = sources.get(name) ?? {}
      const kept = server && (await shelf.find(name, server.href))
      const signedOut = await shelf.remove(name)
      if (signedOut) resetAndTell(name)
      const issuer = auth?.type === 'oauth' ? auth.issuer : undefined
      return { signedOut, revoked: kept?.tokens && signedOut ? await revokeTokens(kept, issuer, options) : undefined }
    },
    listFor: (caller) => callers.listFor(caller),
    paste: (name, caller, key) => callers.paste(name, caller, key),
    endCaller: (caller) => {
      pending.drop((each) => each.caller === caller)
      return callers.end(caller)
    },
    catchUp,
    listenAt: (redirectUrl, page) => {
      redirectAt = redirectUrl
      pageAt = page
    },
    vouchBy: (found) => {
      subjectOf = found
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

// Of people there are more than of sources; each waits with what a server says of itself.
const mostPending = 256

const plainSignIn: OAuthSignIn = { type: 'oauth' }

/** Somebody else's words, on their way to a terminal. */
const shown = (text: string): string => text.replace(/[^\x20-\x7e]/g, '').slice(0, 256)

/** A WebSocket's server is found where its HTTP side would be. */
const toHttp = (text: string): URL => new URL(text.replace(/^ws/i, 'http'))
