import { type Clock, systemClock } from '../../model/clock.js'
import { isRecord } from '../../model/json.js'
import { clientOf, type OAuthClient, shownName } from './client.js'
import { parseRedirect, type Redirect } from './redirects.js'
import { OAuthRefusal } from './refusal.js'

/** A document as it came. Whoever fetches follows no redirect, goes to no address inside, and gives up after `timeoutMs` and `maxBytes`. */
export type FetchDocument = (
  url: URL,
  bounds: { readonly timeoutMs: number; readonly maxBytes: number },
) => Promise<{
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}>

export interface DocumentsOptions {
  readonly fetch: FetchDocument
  /** Hosts whose documents are taken; `*` is any, `*.example.com` those below it. AskedAccess each time. */
  readonly hosts: () => readonly string[]
  readonly clock?: Clock | undefined
  /** Documents remembered; the one unseen longest is forgotten first. Default: 1,000. */
  readonly most?: number | undefined
}

/** Clients that are known by the address of a document about them (CIMD). */
export interface ClientDocuments {
  /** Whether this client id is the address of a document. */
  recognises(id: string): boolean
  /** The client as its document says, for somebody who wants to come back to this address. Throws an `OAuthRefusal`. */
  find(id: string, redirect: string | undefined): Promise<OAuthClient>
}

const timeoutMs = 5_000
const maxBytes = 64 * 1024
const shortestMs = 5 * 60_000
const longestMs = 24 * 60 * 60_000
/** Not more often: whoever makes up addresses must not make us ask the same host for each. */
const askAgainMs = 30_000
const mostAtOnce = 16
const mostPerMinute = 300
const mostRedirects = 64
const longestId = 2048

interface Remembered {
  readonly client: OAuthClient
  readonly askedAt: number
  readonly until: number
}

export const createDocuments = (options: DocumentsOptions): ClientDocuments => {
  const { fetch, hosts, clock = systemClock, most = 1000 } = options
  const remembered = new Map<string, Remembered>()
  const asking = new Map<string, Promise<OAuthClient>>()
  let window = { since: clock.now(), count: 0 }

  const count = (): void => {
    if (clock.now() - window.since >= 60_000) window = { since: clock.now(), count: 0 }
    if (asking.size >= mostAtOnce || ++window.count > mostPerMinute)
      throw new OAuthRefusal(
        'temporarily_unavailable',
        'Too many client documents are being asked for. Try again.',
        503,
      )
  }
  const ask = async (url: URL, id: string): Promise<OAuthClient> => {
    const answer = await fetch(url, { timeoutMs, maxBytes }).catch(() => undefined)
    if (answer?.status !== 200) throw refused('it cannot be had from there')
    const client = parseDocument(id, url, answer)
    remembered.delete(id)
    remembered.set(id, { client, askedAt: clock.now(), until: clock.now() + freshMs(answer.headers) })
    if (remembered.size > most) remembered.delete(remembered.keys().next().value!)
    return client
  }
  const fetched = (url: URL, id: string): Promise<OAuthClient> => {
    const running = asking.get(id)
    if (running) return running
    count()
    const asked = ask(url, id).finally(() => asking.delete(id))
    asking.set(id, asked)
    return asked
  }
  return {
    recognises: (id) => id.startsWith('https://') || id.startsWith('http://'),
    find: async (id, redirect) => {
      const url = documentUrl(id)
      if (!isListed(hosts(), url.hostname)) throw refused('documents of this host are not taken here')
      const known = remembered.get(id)
      if (known && clock.now() < known.until) {
        const isThere = redirect === undefined || known.client.redirects.some(({ text }) => text === redirect)
        const isNew = clock.now() - known.askedAt < askAgainMs
        // A place that the document did not name may be one that it names by now.
        if (isThere || isNew || isLoopbackOf(known.client, redirect)) return known.client
      }
      return fetched(url, id)
    },
  }
}

const isLoopbackOf = (client: OAuthClient, redirect: string): boolean =>
  parseRedirect(redirect)?.kind === 'loopback' && client.redirects.some(({ kind }) => kind === 'loopback')

const documentUrl = (id: string): URL => {
  if (id.length > longestId || !/^[\x21-\x7e]+$/.test(id) || /[\\#]/.test(id) || !URL.canParse(id))
    throw refused('its address cannot be read')
  const url = new URL(id)
  if (url.protocol !== 'https:') throw refused('its address must begin with https:')
  // One way to write it: what is compared letter by letter must not have two spellings.
  if (url.href !== id || url.username !== '' || url.password !== '' || url.pathname === '/')
    throw refused('its address must have a path, and neither user info nor steps up')
  return url
}

const isListed = (hosts: readonly string[], host: string): boolean =>
  hosts.some((each) => each === '*' || each === host || (each.startsWith('*.') && host.endsWith(each.slice(1))))

type Fetched = Awaited<ReturnType<FetchDocument>>

const parseDocument = (id: string, url: URL, { headers, body }: Fetched): OAuthClient => {
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(String(headers['content-type'] ?? '')))
    throw refused('it is not JSON')
  const document = parsed(body)
  if (!isRecord(document)) throw refused('it is not a JSON object')
  if (document.client_id !== id) throw refused('its client_id is not its own address')
  const { token_endpoint_auth_method: method = 'none', grant_types: grants, redirect_uris: asked } = document
  // A secret in a public document is none; a key of its own (private_key_jwt) is more than we ask for.
  if ((method !== 'none' && method !== 'private_key_jwt') || document.client_secret !== undefined)
    throw refused('it speaks of a client secret, which a document cannot have')
  if (grants !== undefined && !(Array.isArray(grants) && grants.includes('authorization_code')))
    throw refused('its grant_types do not hold authorization_code')
  if (!Array.isArray(asked) || asked.length > mostRedirects) throw refused('its redirect_uris cannot be read')
  // It is written for every server there is: what we do not take is left out.
  const redirects = asked.map(parseRedirect).filter((each): each is Redirect => each !== undefined)
  if (redirects.length === 0) throw refused('it names no address that we would send anybody back to')
  return clientOf({ id, name: shownName(document.client_name) ?? url.host, home: url.host, redirects })
}

const parsed = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const freshMs = (headers: Fetched['headers']): number => {
  const control = String(headers['cache-control'] ?? '')
  const [, seconds] = /(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])/i.exec(control) ?? []
  const wanted = seconds === undefined || /no-store|no-cache/i.test(control) ? 0 : Number(seconds) * 1000
  return Math.min(longestMs, Math.max(shortestMs, wanted))
}

const refused = (why: string): OAuthRefusal =>
  new OAuthRefusal('invalid_client', `The document of this client is not taken: ${why}.`)
