import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/** Which SDK and which era: v1 speaks legacy alone. */
export const signingKinds = ['v1', 'v2-legacy', 'v2-modern'] as const
export type SigningKind = (typeof signingKinds)[number]

export interface SigningOptions {
  readonly kind: SigningKind
  readonly url: string
  /** Where the browser comes back to; nobody need listen there. */
  readonly redirectUrl?: string | undefined
  /** A client document, where the client has one. Default: it registers itself. */
  readonly document?: string | undefined
  readonly scope?: string | undefined
  /** Walks the person through whatever the link shows; resolves to the address that the browser was sent back to. */
  readonly walk: (link: URL, redirectUrl: string) => Promise<string>
}

export interface SignedClient {
  readonly tokens: { access_token: string; refresh_token?: string | undefined; scope?: string | undefined }
  readonly clientId: string
  list(): Promise<readonly string[]>
  call(name: string, args?: Record<string, unknown>): Promise<{ readonly text: string; readonly isError: boolean }>
  /** What it shows from now on; an empty text is no token at all. */
  show(accessToken: string): void
  /** How often a person was sent to a browser. */
  readonly walks: number
  close(): Promise<void>
}

/** A client of an SDK that is told 401, signs in as its SDK does, and connects. */
export const signedClient = async (options: SigningOptions): Promise<SignedClient> => {
  const { kind, url, redirectUrl = 'http://127.0.0.1:33418/callback', document, scope, walk } = options
  let tokens: any
  let information: any
  let verifier = ''
  let discovery: any
  let cameBack: string | undefined
  let walks = 0
  const provider = {
    redirectUrl,
    clientMetadataUrl: document,
    clientMetadata: {
      client_name: `signing ${kind}`,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      ...(scope !== undefined && { scope }),
    },
    state: () => 'state-of-the-client',
    clientInformation: () => information,
    saveClientInformation: (given: any) => {
      information = given
    },
    tokens: () => tokens,
    saveTokens: (given: any) => {
      tokens = given
    },
    // As clients do: what was refused for good is not shown again.
    invalidateCredentials: (scope: string) => {
      if (scope === 'tokens' || scope === 'all') tokens = undefined
    },
    saveCodeVerifier: (given: string) => {
      verifier = given
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (given: any) => {
      discovery = given
    },
    discoveryState: () => discovery,
    redirectToAuthorization: async (link: URL) => {
      walks += 1
      cameBack = await walk(link, redirectUrl)
    },
  }
  const open = () => {
    const authProvider = provider as any
    return kind === 'v1'
      ? {
          client: new ClientV1({ name: 'signing', version: '1' }),
          transport: new TransportV1(new URL(url), { authProvider }),
        }
      : {
          client: new ClientV2(
            { name: 'signing', version: '1' },
            { versionNegotiation: { mode: kind === 'v2-modern' ? 'auto' : 'legacy' } },
          ),
          transport: new TransportV2(new URL(url), { authProvider }),
        }
  }
  const connect = async (): Promise<any> => {
    const first = open()
    try {
      await first.client.connect(first.transport as any)
      return first.client
    } catch (error) {
      if (cameBack === undefined) throw error
      const back = new URL(cameBack).searchParams
      if (back.get('code') === null) throw new Error(`no code came back: ${back.get('error')}`, { cause: error })
      if (kind === 'v1') await first.transport.finishAuth(back.get('code')!)
      else await (first.transport as TransportV2).finishAuth(back)
      const second = open()
      await second.client.connect(second.transport as any)
      return second.client
    }
  }
  const client = await connect()
  if (kind === 'v2-modern' && client.getProtocolEra() !== 'modern') throw new Error('The client should speak modern.')
  return {
    get tokens() {
      return tokens
    },
    get clientId() {
      return information?.client_id ?? document
    },
    get walks() {
      return walks
    },
    list: async () => (await client.listTools()).tools.map(({ name }: { name: string }) => name),
    call: async (name, args = {}) => {
      const { content, isError = false } = await client.callTool({ name, arguments: args })
      return { text: content.map(({ text = '' }) => text).join(''), isError }
    },
    show: (accessToken) => {
      tokens = { ...tokens, access_token: accessToken }
    },
    close: () => client.close(),
  }
}
