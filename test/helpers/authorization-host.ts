import { createHash, randomBytes } from 'node:crypto'
import type { FetchDocument } from '../../src/access/authorization/documents.js'
import {
  type AuthorizationOptions,
  type AuthorizationServer,
  createAuthorizationServer,
} from '../../src/access/authorization/server.js'
import type { GrantRow } from '../../src/access/grants.js'
import { createIdentityProvider } from '../../src/access/identity-provider-client.js'
import { createKeys, type Keys } from '../../src/access/keys.js'
import type { People } from '../../src/access/people.js'
import { createPeople } from '../../src/access/person-store.js'
import { createSessions } from '../../src/access/session-store.js'
import type { SignInSessions } from '../../src/access/sessions.js'
import { createPeers } from '../../src/http/auth-loopback.js'
import { createHttpHost } from '../../src/http/host.js'
import { type Clock, systemClock } from '../../src/model/clock.js'
import { createSeals } from '../../src/model/seal.js'
import { createMemoryDocuments } from '../../src/storage/memory/memory-documents.js'
import type { Deed } from '../../src/telemetry/deed.js'
import type { HeadlessBrowser, ShownPage } from './headless-browser.js'
import type { TestProvider } from './identity-provider.js'
import { VirtualClock } from './virtual-clock.js'

/** Our authorization server behind a real listener, with real stores in memory. */
export interface AuthorizationHost extends AsyncDisposable {
  readonly url: string
  readonly server: AuthorizationServer
  readonly sessions: SignInSessions
  readonly people: People
  readonly keys: Keys
  readonly clock: Clock & { advance?: VirtualClock['advance'] }
  readonly deeds: Deed[]
  /** Client documents, by address; all of them are on this machine. */
  readonly documents: Map<string, unknown>
  settings: { grants: readonly GrantRow[]; clients: { documents: string[]; register: boolean } }
}

export interface AuthorizationHostOptions {
  /** Default: people show keys, and the clock stands still until it is told to move. */
  readonly provider?: TestProvider | undefined
  /** Default: its own. */
  readonly secret?: string | undefined
  readonly clock?: Clock | undefined
  readonly assertions?: AuthorizationOptions['assertions']
  readonly logout?: AuthorizationOptions['logout']
}

export const openAuthorizationHost = async ({
  provider,
  secret = randomBytes(16).toString('hex'),
  // The provider's own clock is the real one.
  clock = provider ? systemClock : new VirtualClock(),
  assertions,
  logout,
}: AuthorizationHostOptions = {}): Promise<AuthorizationHost> => {
  const deeds: Deed[] = []
  const documents = new Map<string, unknown>()
  const fetchDocument: FetchDocument = async ({ href }) => ({
    status: documents.has(href) ? 200 : 404,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(documents.get(href) ?? null)),
  })
  // Nobody else writes, and days pass on a clock that stands still between them.
  const followMs = 24 * 60 * 60_000
  const people = await createPeople({ documents: createMemoryDocuments(), clock, followMs })
  const keys = await createKeys({
    ...{ documents: createMemoryDocuments(), clock, followMs },
    ownerOf: (owner) => people.ownerOf(owner),
  })
  const sessions = await createSessions({
    documents: createMemoryDocuments(),
    secrets: createMemoryDocuments(),
    ...{ clock, followMs },
  })
  const settings: AuthorizationHost['settings'] = {
    grants: [{ groups: ['eng'], role: 'caller', profiles: ['default', 'eng'] }],
    clients: { documents: ['*'], register: true },
  }
  let url = ''
  const server = createAuthorizationServer({
    settings: () => ({ ...settings, publicUrl: url, session: { accessMinutes: 60, days: 30 } }),
    path: '/mcp',
    seals: createSeals(secret),
    ...{ sessions, people, keys, clock, peers: createPeers(), fetch: fetchDocument, assertions, logout },
    provider:
      provider &&
      createIdentityProvider({
        ...{ issuer: provider.issuer, clientId: provider.clientId, clientSecret: provider.clientSecret },
        ...{ scopes: ['openid', 'profile', 'email'], claims: { name: 'preferred_username', groups: 'groups' } },
        ...{ fetch, clock },
      }),
    note: (deed) => void deeds.push(deed),
    now: () => clock.wall(),
  })
  const host = createHttpHost({ authenticate: () => ({ refused: { status: 401, message: 'no' } }) })
  host.addRoutes(server.routes)
  url = (await host.listen({ port: 0 })).url
  provider?.allowRedirect(`${url}/authorize/callback`)
  return {
    ...{ url, server, sessions, people, keys, clock, deeds, documents, settings },
    [Symbol.asyncDispose]: async () => {
      await host.close({ graceMs: 0 })
      await sessions[Symbol.asyncDispose]()
      await people[Symbol.asyncDispose]()
      await keys[Symbol.asyncDispose]()
    },
  }
}

export const redirectUri = 'http://localhost:51234/callback'
export const verifier = 'v'.repeat(64)
export const challengeOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Registers a client; its id. */
export const registered = async (url: string, metadata: object = {}): Promise<string> => {
  const response = await fetch(`${url}/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'A test', redirect_uris: ['http://localhost/callback'], ...metadata }),
  })
  const { client_id: id } = (await response.json()) as { client_id: string }
  return id
}

/** The link that a client opens; a field that is undefined is left out. */
export const linkOf = (url: string, fields: Readonly<Record<string, string | undefined>>): string => {
  const all = {
    response_type: 'code',
    redirect_uri: redirectUri,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    state: 'state-of-the-client',
    resource: `${url}/mcp`,
    ...fields,
  }
  const given = Object.entries(all).filter((field): field is [string, string] => field[1] !== undefined)
  return `${url}/authorize?${new URLSearchParams(given)}`
}

/** What stands behind an address that a browser was sent to. */
export const answerIn = (page: ShownPage): Record<string, string> => Object.fromEntries(new URL(page.url).searchParams)

export const isBack = (address: string): boolean => address.startsWith(redirectUri)

/** Through consent with a key, back to the client: the code. */
export const codeByKey = async (
  { url, keys }: Pick<AuthorizationHost, 'url' | 'keys'>,
  browser: HeadlessBrowser,
  fields: Readonly<Record<string, string | undefined>>,
  own?: string,
): Promise<string> => {
  const key = own ?? (await keys.create({ name: 'mine', permission: 'read' })).key
  const page = await browser.open(linkOf(url, fields))
  const back = await browser.submit(page, { key }, { button: 'allow', stopAt: isBack })
  return answerIn(back).code!
}

/** Asks `/token`. */
export const trade = async (url: string, fields: Readonly<Record<string, string | undefined>>, path = '/token') => {
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)
  const response = await fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(given) })
  const body = (await response.json()) as Record<string, string>
  return { status: response.status, headers: response.headers, ...body } as {
    status: number
    headers: Headers
  } & Record<'access_token' | 'refresh_token' | 'error' | 'scope', string>
}
