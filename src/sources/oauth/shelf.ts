import { hash } from 'node:crypto'
import type { Clock } from '../../model/clock.js'
import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { KeptTokens } from './tokens.js'

/** Who we are at one authorization server. */
export interface KeptClient {
  readonly id: string
  readonly secret?: string | undefined
  /** How the server wants to be shown the secret. */
  readonly method?: string | undefined
  /** Where it sends people back to; another address is another client. */
  readonly redirectUrl?: string | undefined
  /** Milliseconds since the epoch. */
  readonly secretExpiresAt?: number | undefined
}

/** What is kept of one source's sign-in at one authorization server. */
export interface KeptSignIn {
  readonly source: string
  readonly server: string
  readonly issuer: string
  readonly client?: KeptClient | undefined
  readonly tokens?: KeptTokens | undefined
  /** What was asked for at the last sign-in, so that asking for more does not lose it. */
  readonly scope?: string | undefined
  /** Where the server keeps its resource metadata, if not at the usual place. */
  readonly metadataUrl?: string | undefined
  readonly savedAt: number
}

/** Documents that other processes read and write too. `SharedDocuments` of the storage is one. */
export interface SignInDocuments {
  all(): Promise<readonly { readonly id: string; readonly value: JsonValue }[]>
  put(id: string, value: JsonValue): Promise<void>
  update(id: string, change: (current: JsonValue) => JsonValue): Promise<boolean>
  delete(id: string): Promise<boolean>
  /** The ids of those that are there and cannot be read, where that can be. */
  unreadable?(): Promise<readonly string[]>
}

/** Where sign-ins are kept, by source, server and issuer: none of the three can be given the tokens of another. */
export interface Shelf {
  /** Names what is kept, for whoever takes turns with others. */
  idOf(kept: Pick<KeptSignIn, 'source' | 'server' | 'issuer'>): string
  /** The latest of this source at this server. */
  find(source: string, server: string): Promise<KeptSignIn | undefined>
  all(): Promise<readonly KeptSignIn[]>
  /** Adds or replaces; those of the same source and server at other issuers go. */
  save(kept: Omit<KeptSignIn, 'savedAt'>): Promise<void>
  /** New tokens in the place of these; false when those are no longer there: somebody signed out, or renewed them too. */
  renew(kept: KeptSignIn, tokens: KeptTokens): Promise<boolean>
  /** Forgets the tokens, and with `client` also who we are, unless somebody has put others there in the meantime. */
  spend(kept: KeptSignIn, what: 'tokens' | 'client'): Promise<void>
  /** Forgets everything of this source. True if there was something. */
  remove(source: string): Promise<boolean>
}

export const createShelf = (documents: SignInDocuments, clock: Clock): Shelf => {
  const all = async (): Promise<readonly KeptSignIn[]> =>
    (await documents.all()).flatMap(({ value }) => parseKept(value)).sort((a, b) => b.savedAt - a.savedAt)
  const removeWhere = async (matches: (kept: KeptSignIn) => boolean): Promise<boolean> => {
    const gone = (await all()).filter(matches)
    for (const kept of gone) await documents.delete(idOf(kept))
    return gone.length > 0
  }
  return {
    idOf,
    all,
    find: async (source, server) => (await all()).find((kept) => kept.source === source && kept.server === server),
    save: async (kept) => {
      await documents.put(idOf(kept), JSON.parse(JSON.stringify({ ...kept, savedAt: clock.wall() })) as JsonObject)
      await removeWhere(
        ({ source, server, issuer }) => source === kept.source && server === kept.server && issuer !== kept.issuer,
      )
    },
    renew: async (kept, tokens) => {
      let isTheirs = false
      const isThere = await documents.update(idOf(kept), (current) => {
        isTheirs = holdsTokensOf(current, kept)
        if (!isTheirs) return current
        return JSON.parse(JSON.stringify({ ...(current as JsonObject), tokens, savedAt: clock.wall() })) as JsonObject
      })
      return isThere && isTheirs
    },
    spend: async (kept, what) => {
      await documents.update(idOf(kept), (current) => {
        if (!isRecord(current) || !holdsTokensOf(current, kept)) return current
        const { tokens, client, ...rest } = current
        return (what === 'client' || client === undefined ? rest : { ...rest, client }) as JsonObject
      })
    },
    remove: async (source) => {
      // What nobody can read any more is forgotten with the rest.
      const lost = ((await documents.unreadable?.()) ?? []).filter((id) => id.startsWith(`${source} `))
      for (const id of lost) await documents.delete(id)
      return (await removeWhere((kept) => kept.source === source)) || lost.length > 0
    },
  }
}

export const holdsTokensOf = (current: JsonValue, { tokens }: KeptSignIn): boolean => {
  const [now] = parseKept(current)
  return now !== undefined && now.tokens?.accessToken === tokens?.accessToken
}

// Hashed, since an address may carry a secret and ids are shown where documents are listed.
const idOf = ({ source, server, issuer }: Pick<KeptSignIn, 'source' | 'server' | 'issuer'>): string =>
  `${source} ${hash('sha256', JSON.stringify([source, server, issuer]))}`

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const time = (value: unknown): number | undefined => (Number.isFinite(value) ? (value as number) : undefined)

export const parseKept = (value: JsonValue): readonly KeptSignIn[] => {
  if (!isRecord(value)) return []
  const [source, server, issuer] = [text(value.source), text(value.server), text(value.issuer)]
  if (source === undefined || server === undefined || issuer === undefined) return []
  return [
    {
      source,
      server,
      issuer,
      client: parseClient(value.client),
      tokens: parseTokens(value.tokens),
      scope: text(value.scope),
      metadataUrl: text(value.metadataUrl),
      savedAt: time(value.savedAt) ?? 0,
    },
  ]
}

const parseClient = (value: unknown): KeptClient | undefined => {
  const id = isRecord(value) ? text(value.id) : undefined
  if (!isRecord(value) || id === undefined) return undefined
  return {
    id,
    secret: text(value.secret),
    method: text(value.method),
    redirectUrl: text(value.redirectUrl),
    secretExpiresAt: time(value.secretExpiresAt),
  }
}

const parseTokens = (value: unknown): KeptTokens | undefined => {
  const accessToken = isRecord(value) ? text(value.accessToken) : undefined
  if (!isRecord(value) || accessToken === undefined) return undefined
  return {
    accessToken,
    refreshToken: text(value.refreshToken),
    expiresAt: time(value.expiresAt),
    obtainedAt: time(value.obtainedAt) ?? 0,
    scope: text(value.scope),
  }
}
