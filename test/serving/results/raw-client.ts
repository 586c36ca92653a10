import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { ClientKind } from '../../helpers/clients/named.js'

/** A client of an SDK whose results are looked at as they came. */
export interface ResultClient {
  list(): Promise<readonly string[]>
  templates(): Promise<readonly string[]>
  call(tool: string, args?: Record<string, unknown>): Promise<any>
  read(uri: string): Promise<any>
  close(): Promise<void>
}

export const connectRaw = async (
  kind: ClientKind,
  url: string,
  headers: Record<string, string> = {},
): Promise<ResultClient> => {
  const init = { requestInit: { headers } }
  const client =
    kind === 'SDK v1' ? new ClientV1(info) : new ClientV2(info, { versionNegotiation: { mode: modeOf(kind) } })
  const transport = kind === 'SDK v1' ? new HttpV1(new URL(url), init) : new HttpV2(new URL(url), init)
  await client.connect(transport as any)
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    templates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    call: (name, args = {}) => client.callTool({ name, arguments: args }) as Promise<any>,
    read: async (uri) => (await client.readResource({ uri })).contents[0],
    close: () => client.close(),
  }
}

const info = { name: 'results', version: '1' }
const modeOf = (kind: ClientKind) => (kind === 'SDK v2, modern' ? 'auto' : 'legacy')
