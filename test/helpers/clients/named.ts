import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'

/** A client of an SDK that answers questions with its own name. */
export interface NamedClient {
  readonly name: string
  call(tool: string, args?: Record<string, unknown>): Promise<any>
  /** The words of each step of a call. */
  steps(tool: string): Promise<readonly string[]>
  read(uri: string): Promise<string>
  follow(uri: string): Promise<void>
  /** How often it heard of a resource that it follows. */
  readonly updates: number
  /** Ends its session, where it has one, and leaves. */
  close(): Promise<void>
}

export const clientKinds = ['SDK v1', 'SDK v2, legacy', 'SDK v2, modern'] as const
export type ClientKind = (typeof clientKinds)[number]

/** Where it connects: an address, with headers, or a command. */
export type Place =
  | { readonly url: string; readonly headers?: Record<string, string> }
  | { readonly args: readonly string[] }

const textOf = (result: any): any => {
  const { text } = result.content[0]
  return text.startsWith('{') ? JSON.parse(text) : text
}

export const openClient = (kind: ClientKind, name: string, place: Place): Promise<NamedClient> =>
  kind === 'SDK v1' ? openV1(name, place) : openV2(kind, name, place)

const answerOf = (name: string) => ({ action: 'accept' as const, content: { name } })
const abilities = { elicitation: { form: {} } }

const openV1 = async (name: string, place: Place): Promise<NamedClient> => {
  const client = new ClientV1({ name, version: '1' }, { capabilities: abilities })
  const transport =
    'url' in place
      ? new HttpV1(new URL(place.url), { requestInit: { headers: place.headers ?? {} } })
      : new StdioV1({ command: process.execPath, args: [...place.args], stderr: 'ignore' })
  let updates = 0
  client.setRequestHandler(ElicitRequestSchema, () => answerOf(name))
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, () => void updates++)
  await client.connect(transport as any)
  return {
    name,
    call: async (tool, args = {}) => textOf(await client.callTool({ name: tool, arguments: args })),
    steps: async (tool) => {
      const steps: string[] = []
      const onprogress = ({ message = '' }) => void steps.push(message)
      await client.callTool({ name: tool, arguments: {} }, undefined, { onprogress })
      return steps
    },
    read: async (uri) => ((await client.readResource({ uri })).contents[0] as any).text,
    follow: async (uri) => void (await client.subscribeResource({ uri })),
    get updates() {
      return updates
    },
    close: async () => {
      if (transport instanceof HttpV1) await transport.terminateSession()
      await client.close()
    },
  }
}

const openV2 = async (kind: ClientKind, name: string, place: Place): Promise<NamedClient> => {
  const mode = kind === 'SDK v2, modern' ? 'auto' : 'legacy'
  const client = new ClientV2({ name, version: '1' }, { versionNegotiation: { mode }, capabilities: abilities })
  const transport =
    'url' in place
      ? new HttpV2(new URL(place.url), { requestInit: { headers: place.headers ?? {} } })
      : new StdioV2({ command: process.execPath, args: [...place.args], stderr: 'ignore' })
  let updates = 0
  client.setRequestHandler('elicitation/create', () => answerOf(name))
  client.setNotificationHandler('notifications/resources/updated', () => void updates++)
  await client.connect(transport as any)
  return {
    name,
    call: async (tool, args = {}) => textOf(await client.callTool({ name: tool, arguments: args })),
    steps: async (tool) => {
      const steps: string[] = []
      const onprogress = ({ message = '' }) => void steps.push(message)
      await client.callTool({ name: tool, arguments: {} }, { onprogress })
      return steps
    },
    read: async (uri) => ((await client.readResource({ uri })).contents[0] as any).text,
    follow: async (uri) =>
      void (mode === 'auto'
        ? await client.listen({ resourceSubscriptions: [uri] })
        : await client.subscribeResource({ uri })),
    get updates() {
      return updates
    },
    close: async () => {
      if (transport instanceof HttpV2 && mode === 'legacy') await transport.terminateSession()
      await client.close()
    },
  }
}
