import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

/** What the pair does; a test changes it while it runs. */
export interface SignInRules {
  /** Before every token, so that a test finds one wherever it slips out. */
  canary: string
  expiresIn: number | undefined
  givesRefreshToken: boolean
  /** What the authorization server says about itself besides the plain truth. */
  metadata: Record<string, unknown>
  /** What it sends back with a code besides code and state. */
  comesBackWith: Record<string, string>
  /** What a call needs; the list needs none. */
  callScope: string | undefined
  /** Answers a refresh with this error. */
  refreshError: string | undefined
  /** Where resource metadata is said to be; default: where it is. */
  metadataUrl: string | undefined
  /** Sends whoever asks for the metadata there. */
  redirectsTo: string | undefined
  /** Publishes nothing: a server with API keys. */
  isPlain: boolean
  /** What the metadata is for; default: the MCP endpoint. */
  resource: string | undefined
  /** Shows its list to anybody; calls need a token. */
  listsToAll: boolean
  /** Speaks the modern era. */
  isModern: boolean
  /** Gives legacy sessions, each to who began it. */
  givesSessions: boolean
  /** Has a prompt and a resource besides its tool. */
  offersMore: boolean
}

export interface SignInServers extends AsyncDisposable {
  readonly url: string
  readonly issuer: string
  readonly rules: SignInRules
  /** Everything that came, as `GET /path`, by both servers. */
  readonly log: string[]
  /** Bodies of token requests, and the Authorization headers that the MCP server saw. */
  readonly tokenRequests: URLSearchParams[]
  readonly authorizations: (string | undefined)[]
  readonly registrations: Record<string, unknown>[]
  /** What came in somebody's session by somebody else. */
  readonly foreign: string[]
  /** Keys that the MCP server takes besides tokens, and whose they are. */
  readonly keys: Map<string, string>
  /** What requests said of who calls, by `X-User`. */
  readonly users: (string | undefined)[]
  /** What requests said of it by a token of the gateway. */
  readonly assertions: (string | undefined)[]
  /** Tokens that were given back (RFC 7009). */
  readonly revoked: string[]
  /** Who signed in for this token, by its Authorization header. */
  userOf(header: string | undefined): string | undefined
  /** No access token that was given out is good any more. */
  revokeAccess(): void
  revokeAll(): void
}

interface Grant {
  readonly scope: string
  /** Who signed in, as the browser said (`&user=`): calls answer with it. */
  readonly user?: string
  readonly challenge?: string
  readonly redirectUri?: string
}

/** A little authorization server and an MCP server behind it, both real, on this machine. */
export const startSignInServers = async (): Promise<SignInServers> => {
  const rules: SignInRules = {
    canary: `canary${randomUUID().replaceAll('-', '')}`,
    expiresIn: 3600,
    givesRefreshToken: true,
    metadata: {},
    comesBackWith: {},
    callScope: undefined,
    refreshError: undefined,
    metadataUrl: undefined,
    redirectsTo: undefined,
    isPlain: false,
    resource: undefined,
    listsToAll: false,
    isModern: false,
    givesSessions: false,
    offersMore: false,
  }
  const log: string[] = []
  const tokenRequests: URLSearchParams[] = []
  const authorizations: (string | undefined)[] = []
  const registrations: Record<string, unknown>[] = []
  const foreign: string[] = []
  const keys = new Map<string, string>()
  const users: (string | undefined)[] = []
  const assertions: (string | undefined)[] = []
  const revoked: string[] = []
  const codes = new Map<string, Grant>()
  const access = new Map<string, Grant>()
  const refresh = new Map<string, Grant>()
  let count = 0
  const mint = (kind: string): string => `${rules.canary}-${kind}-${++count}`

  const tokensFor = (grant: Grant) => {
    const [accessToken, refreshToken] = [mint('access'), mint('refresh')]
    access.set(accessToken, grant)
    if (rules.givesRefreshToken) refresh.set(refreshToken, grant)
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      ...(rules.expiresIn === undefined ? {} : { expires_in: rules.expiresIn }),
      ...(rules.givesRefreshToken ? { refresh_token: refreshToken } : {}),
      ...(grant.scope === '' ? {} : { scope: grant.scope }),
    }
  }
  const redeem = (body: URLSearchParams, response: ServerResponse): void => {
    tokenRequests.push(body)
    const type = body.get('grant_type')
    if (type === 'client_credentials')
      return json(response, 200, { ...tokensFor({ scope: body.get('scope') ?? '' }), refresh_token: undefined })
    if (type === 'refresh_token') {
      const old = body.get('refresh_token') ?? ''
      const grant = refresh.get(old)
      if (rules.refreshError !== undefined || !grant)
        return json(response, 400, { error: rules.refreshError ?? 'invalid_grant', error_description: old })
      refresh.delete(old)
      return json(response, 200, tokensFor(grant))
    }
    const grant = codes.get(body.get('code') ?? '')
    codes.delete(body.get('code') ?? '')
    const proof = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    if (!grant || proof !== grant.challenge || body.get('redirect_uri') !== grant.redirectUri)
      return json(response, 400, { error: 'invalid_grant' })
    json(response, 200, tokensFor(grant))
  }

  let issuer = ''
  const authorization = await listen(async (request, response, url) => {
    log.push(`${request.method} ${url.pathname}`)
    if (url.pathname === '/.well-known/oauth-authorization-server' && !rules.isPlain)
      return json(response, 200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
        authorization_response_iss_parameter_supported: true,
        ...rules.metadata,
      })
    if (url.pathname === '/register') {
      const asked = JSON.parse(await bodyOf(request)) as Record<string, unknown>
      registrations.push(asked)
      return json(response, 201, { ...asked, client_id: mint('client') })
    }
    if (url.pathname === '/authorize') {
      const code = mint('code')
      const query = (name: string) => url.searchParams.get(name) ?? ''
      codes.set(code, {
        scope: query('scope'),
        user: query('user'),
        challenge: query('code_challenge'),
        redirectUri: query('redirect_uri'),
      })
      const back = new URL(query('redirect_uri'))
      const fields = { code, state: query('state'), iss: issuer, ...rules.comesBackWith }
      for (const [name, value] of Object.entries(fields)) if (value !== '') back.searchParams.set(name, value)
      return void response.writeHead(302, { location: back.href }).end()
    }
    if (url.pathname === '/revoke') {
      const token = new URLSearchParams(await bodyOf(request)).get('token') ?? ''
      revoked.push(token)
      access.delete(token)
      refresh.delete(token)
      return json(response, 200, {})
    }
    if (url.pathname === '/token') return redeem(new URLSearchParams(await bodyOf(request)), response)
    json(response, 404, {})
  })
  issuer = authorization.url

  const resource = await listen(async (request, response, url) => {
    log.push(`${request.method} ${url.pathname}`)
    if (url.pathname.startsWith('/.well-known/oauth-protected-resource')) {
      if (rules.isPlain) return json(response, 404, {})
      if (rules.redirectsTo !== undefined) return void response.writeHead(302, { location: rules.redirectsTo }).end()
      return json(response, 200, { resource: rules.resource ?? `${resource.url}/mcp`, authorization_servers: [issuer] })
    }
    const { authorization: header } = request.headers
    authorizations.push(header)
    users.push(request.headers['x-user'] as string | undefined)
    assertions.push(request.headers['x-pegboard-assertion'] as string | undefined)
    const grant = grantOf(header)
    if (!grant && !rules.listsToAll) return json(response, 401, {}, challenge('scope="list"'))
    if (url.pathname === '/sse') return openStream(response)
    if (request.method !== 'POST') return json(response, 405, {})
    const message = JSON.parse(await bodyOf(request)) as RpcMessage
    if (!grant && personal.has(message.method)) return json(response, 401, {}, challenge('scope="list"'))
    if (message.method === 'tools/call' && rules.callScope && !grant?.scope.split(' ').includes(rules.callScope))
      return json(response, 403, {}, challenge(`error="insufficient_scope", scope="${rules.callScope}"`))
    const answer = answerTo(message, grant, rules)
    if (url.pathname === '/messages') {
      response.writeHead(202).end()
      if (answer) streams.get(url.searchParams.get('s'))?.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`)
      return
    }
    if (!rules.isModern && rules.givesSessions) {
      if (message.method === 'initialize') {
        const session = randomUUID()
        sessions.set(session, grant?.user)
        response.setHeader('mcp-session-id', session)
      } else if (sessions.get(String(request.headers['mcp-session-id'])) !== grant?.user) foreign.push(message.method)
    }
    if (!answer) response.writeHead(202).end()
    else json(response, 'error' in answer ? 404 : 200, answer)
  })
  const sessions = new Map<string, string | undefined>()
  const streams = new Map<string | null, ServerResponse>()
  const openStream = (response: ServerResponse): void => {
    const id = randomUUID()
    streams.set(id, response)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`event: endpoint\ndata: /messages?s=${id}\n\n`)
  }
  const grantOf = (header: string | undefined): Grant | undefined => {
    const token = (header ?? '').replace(/^Bearer /, '')
    const user = keys.get(token)
    return user === undefined ? access.get(token) : { scope: '', user }
  }
  const challenge = (words: string): string | undefined =>
    rules.isPlain
      ? undefined
      : `Bearer ${words}, resource_metadata="${rules.metadataUrl ?? `${resource.url}/.well-known/oauth-protected-resource/mcp`}"`
  const sockets = new WebSocketServer({ noServer: true })
  resource.server.on('upgrade', (request, socket, head) => {
    const grant = grantOf(request.headers.authorization)
    if (!grant && !rules.listsToAll)
      return void socket.end(
        `HTTP/1.1 401 No\r\nWWW-Authenticate: ${challenge('scope="list"')}\r\nContent-Length: 0\r\n\r\n`,
      )
    sockets.handleUpgrade(request, socket, head, (opened) =>
      opened.on('message', (data) => {
        const answer = answerTo(JSON.parse(String(data)) as RpcMessage, grant, rules)
        if (answer) opened.send(JSON.stringify(answer))
      }),
    )
  })

  return {
    url: `${resource.url}/mcp`,
    issuer,
    rules,
    log,
    tokenRequests,
    authorizations,
    registrations,
    foreign,
    keys,
    users,
    assertions,
    revoked,
    userOf: (header) => grantOf(header)?.user,
    revokeAccess: () => access.clear(),
    revokeAll: () => {
      access.clear()
      refresh.clear()
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([authorization.close(), resource.close()])
    },
  }
}

interface RpcMessage {
  readonly id?: unknown
  readonly method: string
}

/** What is answered to whoever signed in, whoever may see the lists. */
const personal: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read', 'completion/complete'])

const answerTo = ({ id, method }: RpcMessage, grant: Grant | undefined, rules: SignInRules): object | undefined => {
  if (id !== undefined && method === (rules.isModern ? 'initialize' : 'server/discover'))
    return { jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } }
  const capabilities = { tools: {}, ...(rules.offersMore && { prompts: {}, resources: {}, completions: {} }) }
  const text = grant?.user || 'read it'
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities,
      serverInfo: { name: 'protected', version: '1' },
    },
    'server/discover': {
      supportedVersions: ['2026-07-28'],
      capabilities,
      serverInfo: { name: 'protected', version: '1' },
      resultType: 'complete',
    },
    ping: {},
    'tools/list': { tools: [{ name: 'read', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text }] },
    ...(rules.offersMore && {
      'prompts/list': { prompts: [{ name: 'greet' }] },
      'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text } }] },
      'resources/list': { resources: [{ uri: 'notes://mine', name: 'mine' }] },
      'resources/templates/list': { resourceTemplates: [] },
      'resources/read': { contents: [{ uri: 'notes://mine', text }] },
      'completion/complete': { completion: { values: [text] } },
    }),
  }
  const result = results[method]
  if (id === undefined) return undefined
  return { jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'no such method' } }) }
}

/** A server that counts who comes, for places where nobody may. */
export const startCanary = async (
  host: string,
): Promise<AsyncDisposable & { readonly url: string; hits(): number }> => {
  let hits = 0
  const server = await listen(async (_request, response) => {
    hits += 1
    json(response, 200, {})
  }, host)
  return { url: server.url, hits: () => hits, [Symbol.asyncDispose]: server.close }
}

type Handle = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<unknown>

const listen = async (handle: Handle, host = '127.0.0.1') => {
  const server: Server = createServer((request, response) => {
    handle(request, response, new URL(request.url ?? '/', 'http://here')).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://${host}:${port}`, server, close }
}

const json = (response: ServerResponse, status: number, value: unknown, challenge?: string): void => {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
  })
  response.end(JSON.stringify(value))
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
