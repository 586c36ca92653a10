import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Adapter, AdapterPayload, ClientMetadata, Configuration } from 'oidc-provider'

/** Somebody at the identity provider. A test changes it while it runs. */
export interface Account {
  groups: string[] | undefined
  email: string
  emailVerified: boolean
  name: string
  /** May no longer sign in, and refresh tokens no longer work. */
  disabled: boolean
}

export interface TestProvider extends AsyncDisposable {
  readonly issuer: string
  /** Our own confidential client there. */
  readonly clientId: string
  readonly clientSecret: string
  /** By login: alice (eng), bob (sales), carol (platform), dave (no groups claim). */
  readonly accounts: Record<string, Account>
  /** Every request, as `GET /path`, and whether our client could be told that somebody signed out. */
  readonly log: string[]
  /** Who signs in where nobody is asked: set it and `/interaction` needs no form. Default: the form asks. */
  signsInAs: string | undefined
  /** Where our client may be sent back to. */
  allowRedirect(uri: string): void
  /** Where it tells that somebody signed out; by sign-in (`sid`) where `bySession`, else by person. */
  logoutAt(uri: string, bySession?: boolean): void
  /** One more client, as an operator would register it. */
  addClient(client: ClientMetadata): void
  /** Answers 503 to everything until `up`. */
  down(): void
  up(): void
}

export interface TestProviderOptions {
  /** Access tokens as JWT for whatever resource is asked for, as a provider for direct tokens gives them. Default: true. */
  readonly resources?: boolean | undefined
  /** Whether clients may register themselves there. Default: true. */
  readonly register?: boolean | undefined
  /** Takes client documents from this machine. Default: true. */
  readonly documents?: boolean | undefined
  /** Client documents by address, as if they lay there. */
  readonly documentsAt?: Readonly<Record<string, string>> | undefined
  /** Seconds that access tokens live. Default: 600. */
  readonly accessSeconds?: number | undefined
}

/** A real OpenID provider on this machine: oidc-provider, with four people and a sign-in form that asks for a login alone. */
export const startIdentityProvider = async (options: TestProviderOptions = {}): Promise<TestProvider> => {
  const { resources = true, register = true, documents = true, accessSeconds = 600, documentsAt = {} } = options
  const { default: Provider, interactionPolicy } = await quietly(() => import('oidc-provider'))
  const log: string[] = []
  let isDown = false
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  const server = createServer((request, response) => {
    log.push(`${request.method} ${request.url?.split('?', 1)[0]}`)
    if (isDown) return void response.writeHead(503).end('down')
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clientSecret = randomBytes(24).toString('base64url')
  const clients = new Map<string, AdapterPayload>()
  const ours: ClientMetadata = {
    client_id: 'pegboard',
    client_secret: clientSecret,
    // One at least; nobody is there.
    redirect_uris: ['http://127.0.0.1:9/nowhere'],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    response_types: ['code'],
  }
  clients.set('pegboard', ours as AdapterPayload)
  const accounts = people()
  const policy = interactionPolicy.base()
  const configuration: Configuration = {
    adapter: adapterOf(clients),
    jwks: { keys: [signingKey('RS256'), signingKey('ES256')] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'name', 'groups'],
      email: ['email', 'email_verified'],
    },
    scopes: ['openid', 'profile', 'email', 'offline_access', 'mcp:call', 'mcp:read', 'mcp:register'],
    // As most providers do, the ID token holds what was asked for.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    responseTypes: ['code'],
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    ttl: {
      AccessToken: accessSeconds,
      IdToken: 600,
      RefreshToken: 86_400,
      Session: 86_400,
      Grant: 86_400,
      Interaction: 600,
    },
    findAccount: (_ctx, id) => {
      const account = accounts[id]
      if (!account || account.disabled) return undefined
      return {
        accountId: id,
        claims: async () => ({
          sub: id,
          preferred_username: id,
          name: account.name,
          email: account.email,
          email_verified: account.emailVerified,
          ...(account.groups && { groups: account.groups }),
        }),
      }
    },
    extraTokenClaims: async (_ctx, token) => {
      const account = 'accountId' in token ? accounts[token.accountId as string] : undefined
      return account && { preferred_username: (token as { accountId: string }).accountId, groups: account.groups }
    },
    fetch: async (url, asked) => {
      // It keeps away from addresses of this machine, and gives up after 2.5 s: both are right, and not here.
      if (String(url) === clients.get('pegboard')?.backchannel_logout_uri) {
        const { method, headers, body } = asked as RequestInit
        return fetch(url, { method: method ?? 'POST', headers: headers ?? {}, body: body ?? null })
      }
      const text = documentsAt[String(url)]
      if (text === undefined) return fetch(url, asked)
      return new Response(text, { headers: { 'Content-Type': 'application/json' } })
    },
    interactions: { policy, url: (_ctx, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true },
      revocation: { enabled: true },
      registration: { enabled: register },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        // Its own pages say on every visit that others should stand there.
        logoutSource: (ctx: { body: string }, form: string) => {
          ctx.body = `<!doctype html><title>Sign out</title>${form}`
        },
        postLogoutSuccessSource: (ctx: { body: string }) => {
          ctx.body = 'signed out'
        },
      },
      resourceIndicators: {
        enabled: resources,
        defaultResource: () => undefined as unknown as string,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => ({
          scope: 'mcp:call mcp:read mcp:register',
          audience: resource,
          accessTokenTTL: accessSeconds,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
      ...(documents && { clientIdMetadataDocument: { enabled: true, ack: 'draft-02' } }),
    } as Configuration['features'],
  }
  const provider = await quietly(async () => new Provider(issuer, configuration))
  const callback = provider.callback()
  provider.on('backchannel.error', (_ctx: unknown, error: Error) => void log.push(`LOGOUT failed: ${error.message}`))
  provider.on('backchannel.success', () => void log.push('LOGOUT told'))
  const state: { signsInAs: string | undefined } = { signsInAs: undefined }
  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const details = await provider.interactionDetails(request, response)
    const { prompt, params, session } = details
    if (prompt.name === 'login') {
      const login = request.method === 'POST' ? (await formOf(request)).get('login') : state.signsInAs
      if (login == null) return void response.writeHead(200, html).end(loginPage)
      const isKnown = accounts[login] !== undefined && !accounts[login].disabled
      const result = isKnown
        ? { login: { accountId: login } }
        : { error: 'access_denied', error_description: 'no such login' }
      return provider.interactionFinished(request, response, result)
    }
    const grant = new provider.Grant({ accountId: session!.accountId, clientId: params.client_id as string })
    grant.addOIDCScope(String(params.scope ?? 'openid'))
    for (const resource of [params.resource ?? []].flat() as string[])
      grant.addResourceScope(resource, String(params.scope ?? 'mcp:call'))
    return provider.interactionFinished(
      request,
      response,
      { consent: { grantId: await grant.save() } },
      { mergeWithLastSubmission: true },
    )
  }
  handle = (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response)
    void interact(request, response).catch(() => response.writeHead(400).end('This interaction is over.'))
  }
  return {
    issuer,
    clientId: 'pegboard',
    clientSecret,
    accounts,
    log,
    get signsInAs() {
      return state.signsInAs
    },
    set signsInAs(login) {
      state.signsInAs = login
    },
    allowRedirect: (uri) => {
      clients.set('pegboard', {
        ...clients.get('pegboard'),
        redirect_uris: [...(clients.get('pegboard')!.redirect_uris as string[]), uri],
      })
    },
    logoutAt: (uri, bySession = true) => {
      clients.set('pegboard', {
        ...clients.get('pegboard'),
        backchannel_logout_uri: uri,
        backchannel_logout_session_required: bySession,
      })
    },
    addClient: (client) => void clients.set(client.client_id, client as AdapterPayload),
    down: () => {
      isDown = true
    },
    up: () => {
      isDown = false
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const people = (): Record<string, Account> => {
  const one = (login: string, groups: string[] | undefined): Account => ({
    groups,
    email: `${login}@example.com`,
    emailVerified: true,
    name: login[0]!.toUpperCase() + login.slice(1),
    disabled: false,
  })
  return {
    alice: one('alice', ['eng']),
    bob: one('bob', ['sales']),
    carol: one('carol', ['platform']),
    dave: one('dave', undefined),
  }
}

const html = { 'Content-Type': 'text/html; charset=utf-8' }
const loginPage =
  '<!doctype html><title>Sign in</title><form method="post"><label>Login <input name="login" autofocus></label><button>Sign in</button></form>'

const formOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

const signingKey = (alg: 'RS256' | 'ES256') => {
  const { privateKey } =
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), alg, use: 'sig', kid: randomUUID() } as Record<string, string>
}

/** Its warnings about Node and its defaults are not ours to repeat. */
const quietly = async <T>(work: () => Promise<T>): Promise<T> => {
  const { info, warn } = console
  Object.assign(console, { info: () => {}, warn: () => {} })
  try {
    return await work()
  } finally {
    Object.assign(console, { info, warn })
  }
}

/** Per provider: the one that comes with it is shared by all of a process. */
const adapterOf = (clients: Map<string, AdapterPayload>) => {
  const rows = new Map<string, AdapterPayload>()
  return class implements Adapter {
    readonly #model: string
    constructor(model: string) {
      this.#model = model
    }
    #key(id: string): string {
      return `${this.#model} ${id}`
    }
    async upsert(id: string, payload: AdapterPayload): Promise<void> {
      if (this.#model === 'Client') clients.set(id, payload)
      else rows.set(this.#key(id), payload)
    }
    async find(id: string): Promise<AdapterPayload | undefined> {
      return this.#model === 'Client' ? clients.get(id) : rows.get(this.#key(id))
    }
    async findByUid(uid: string): Promise<AdapterPayload | undefined> {
      return [...rows].find(([key, row]) => key.startsWith(`${this.#model} `) && row.uid === uid)?.[1]
    }
    async findByUserCode(): Promise<AdapterPayload | undefined> {
      return undefined
    }
    async consume(id: string): Promise<void> {
      const row = rows.get(this.#key(id))
      if (row) row.consumed = Math.floor(Date.now() / 1000)
    }
    async destroy(id: string): Promise<void> {
      rows.delete(this.#key(id))
    }
    async revokeByGrantId(grantId: string): Promise<void> {
      for (const [key, row] of rows) if (row.grantId === grantId) rows.delete(key)
    }
  }
}
