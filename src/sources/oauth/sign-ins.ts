import { GatewayError, messageOf } from '../../errors.js'
import type { Credentials } from '../../mcp/client/signed-transport.js'
import { type BegunSignIn, beginSignIn, type CameBack, finishSignIn, type SignInPlace } from './begin.js'
import { InteractiveCredentials } from './interactive.js'
import { MachineCredentials } from './machine.js'
import type { OAuthSignIn, SignInSurroundings, SourceAuth } from './options.js'
import { createPending, type SharedPending } from './pending.js'
import { createShelf, type SignInDocuments } from './shelf.js'

export interface SignInsOptions extends SignInSurroundings {
  /** File rights are the store's business: only its owner can read it. */
  readonly documents: SignInDocuments
  /** Where a browser may come back to another process. Default: in memory. */
  readonly pending?: SharedPending | undefined
}

/** A source with an address that may ask for a sign-in. */
export interface SignInSource {
  readonly name: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly auth?: SourceAuth | undefined
}

export interface SignInInfo {
  readonly source: string
  /** How: by a person, or by the gateway itself. */
  readonly type: SourceAuth['type']
  readonly state: 'signed-in' | 'needs-sign-in' | 'waiting' | 'not-signed-in'
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
  /** The source is gone. What is kept of it stays, for it may come back. */
  drop(name: string): void
  list(): Promise<readonly SignInInfo[]>
  /** A link at which somebody can sign in, good for ten minutes and one use. */
  begin(name: string): Promise<{ readonly url: string; readonly expiresAt: number }>
  /** What a browser brought to the redirect URL. The source that is signed in now, or a refusal. */
  finish(state: string, back: CameBack): Promise<{ readonly source: string }>
  /** Forgets all that is kept of a source. False when there was nothing. */
  signOut(name: string): Promise<boolean>
  /** Somebody else may have signed in, out, or renewed: what is held here follows what is kept. Never rejects. */
  catchUp(): Promise<void>
  /** Where browsers are sent back to, asked at every sign-in. Nobody can sign in while it is unknown. */
  listenAt(redirectUrl: () => string | undefined): void
  /** Told which source was signed in or lost its sign-in, so that it can be started anew. */
  onChange(listener: (source: string) => void): () => void
}

interface Listed {
  readonly server: URL
  readonly auth: SourceAuth | undefined
  readonly credentials: InteractiveCredentials | MachineCredentials
}

export const createSignIns = (options: SignInsOptions): SignIns => {
  const { clock, logger } = options
  const shelf = createShelf(options.documents, clock)
  const pending = createPending<BegunSignIn>(clock, options.pending)
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
    if (auth && auth.type !== 'oauth') return new MachineCredentials({ ...common, auth })
    const onLost = (): void => {
      logger.log('warn', `The sign-in of '${name}' is no longer good.`, { source: name })
      tell(name)
    }
    return new InteractiveCredentials({ ...common, auth, onLost })
  }
  const interactive = (name: string): Listed & { readonly credentials: InteractiveCredentials } => {
    const found = sources.get(name)
    if (!found) throw notHere(name)
    if (!(found.credentials instanceof InteractiveCredentials)) throw byItself(name)
    return { ...found, credentials: found.credentials }
  }
  const placeOf = (name: string): SignInPlace => {
    const { server, auth } = interactive(name)
    return { ...options, source: name, server, shelf, auth: (auth ?? plainSignIn) as OAuthSignIn }
  }
  let looking: Promise<void> | undefined
  let lookAgain = false
  const look = async (): Promise<void> => {
    do {
      lookAgain = false
      for (const { credentials } of sources.values())
        if (credentials instanceof InteractiveCredentials) await credentials.busy
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
    const waits = [...pending.waiting(), ...redeeming].some((begun) => begun.source === source)
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
      if (!auth && Object.keys(headers).some((each) => each.toLowerCase() === 'authorization')) return undefined
      const server = toHttp(url)
      const credentials = create(name, server, auth)
      if (apart === undefined) sources.set(name, { server, auth, credentials })
      return credentials
    },
    drop: (name) => {
      sources.delete(name)
      problems.delete(name)
      pending.drop(({ source }) => source === name)
    },
    list: () => Promise.all([...sources].map(([name, listed]) => infoOf(name, listed))),
    begin: async (name) => {
      const { credentials } = interactive(name)
      problems.delete(name)
      const redirectUrl = redirectAt()
      if (redirectUrl === undefined) throw nowhere()
      let expiresAt = 0
      const url = await beginSignIn(placeOf(name), credentials.wanted, redirectUrl, async (begun) => {
        // One link at a time: whoever begins again has lost the first.
        pending.drop(({ source }) => source === name)
        const kept = await pending.add(begun)
        expiresAt = kept.expiresAt
        return kept.state
      })
      logger.log('info', `A sign-in at ${url.origin} was begun for '${name}'.`, { source: name })
      return { url: url.href, expiresAt }
    },
    finish: async (state, back) => {
      const begun = await pending.take(state)
      if (!begun) throw unknownState()
      const { source, server } = begun
      const place = placeOf(source)
      // What goes by this name leads elsewhere by now, or elsewhere here than where it was begun.
      if (place.server.href !== server) throw unknownState()
      redeeming.add(begun)
      try {
        await finishSignIn(place, begun, back)
      } catch (error) {
        problems.set(source, messageOf(error))
        throw error
      } finally {
        redeeming.delete(begun)
      }
      const { credentials } = sources.get(source) ?? {}
      if (credentials instanceof InteractiveCredentials) credentials.reset()
      logger.log('info', `'${source}' is signed in.`, { source })
      tell(source)
      return { source }
    },
    signOut: async (name) => {
      pending.drop(({ source }) => source === name)
      const had = await shelf.remove(name)
      const { credentials } = sources.get(name) ?? {}
      if (credentials instanceof InteractiveCredentials) credentials.reset()
      if (had) tell(name)
      return had
    },
    catchUp,
    listenAt: (redirectUrl) => {
      redirectAt = redirectUrl
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const plainSignIn: OAuthSignIn = { type: 'oauth' }

/** Somebody else's words, on their way to a terminal. */
const shown = (text: string): string => text.replace(/[^\x20-\x7e]/g, '').slice(0, 256)

/** A WebSocket's server is found where its HTTP side would be. */
const toHttp = (text: string): URL => new URL(text.replace(/^ws/i, 'http'))

const notHere = (name: string): GatewayError =>
  new GatewayError(
    'SOURCE_NOT_FOUND',
    `There is no source named '${name.slice(0, 64)}' that can be signed in. See the list: pegboard auth`,
  )

const byItself = (name: string): GatewayError =>
  new GatewayError('SOURCE_INVALID', `'${name}' signs in by itself with what its configuration says; nobody has to.`)

const nowhere = (): GatewayError =>
  new GatewayError(
    'SOURCE_UNAVAILABLE',
    'There is no address to which a browser could be sent back. Run: pegboard serve',
  )

const unknownState = (): GatewayError =>
  new GatewayError(
    'ACCESS_DENIED',
    'This way back belongs to no sign-in that was begun here, or it was used or is too old. Begin again.',
  )
