import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { abilities, answers, Bell, Bells, type BoardClient, textOf, toSdkOptions, toStoryResult } from './client.js'
import { createListeningFetch } from './listening-fetch.js'

export type V2Mode = 'legacy' | 'auto'

/** A client of SDK v2, which in `auto` speaks modern. */
export const v2OverHttp = async (mode: V2Mode, url: string): Promise<BoardClient> => {
  const { listening, fetch } = createListeningFetch()
  const client = await open(mode, new StreamableHTTPClientTransport(new URL(url), { fetch }))
  await listening
  return client
}

export const v2OverStdio = (mode: V2Mode, command: string, args: readonly string[]): Promise<BoardClient> =>
  open(mode, new StdioClientTransport({ command, args: [...args], stderr: 'ignore' }))

const open = async (mode: V2Mode, transport: Transport): Promise<BoardClient> => {
  const tools = new Bell()
  const prompts = new Bell()
  const updates = new Bells()
  const client = new Client(
    { name: `sdk-v2-${mode}`, version: '1' },
    {
      versionNegotiation: { mode },
      capabilities: abilities,
      listChanged: {
        tools: { autoRefresh: false, debounceMs: 0, onChanged: tools.ring },
        prompts: { autoRefresh: false, debounceMs: 0, onChanged: prompts.ring },
      },
    },
  )
  client.setRequestHandler('elicitation/create', () => answers.elicitation)
  client.setRequestHandler('sampling/createMessage', () => answers.sampling)
  client.setRequestHandler('roots/list', () => answers.roots)
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => updates.of(params.uri).ring())
  await client.connect(transport)
  const era = mode === 'auto' ? 'modern' : 'legacy'
  if (client.getProtocolEra() !== era) throw new Error(`The client should speak ${era}.`)
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}, options) =>
      toStoryResult(await client.callTool({ name, arguments: args }, toSdkOptions(options))),
    changed: () => tools.heard(),
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    follow: async (uri) => {
      if (era === 'modern') await client.listen({ resourceSubscriptions: [uri] })
      else await client.subscribeResource({ uri })
    },
    updated: (uri) => updates.of(uri).heard(),
    promptsChanged: () => prompts.heard(),
    close: () => client.close(),
  }
}
