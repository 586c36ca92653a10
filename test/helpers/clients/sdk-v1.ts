import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  PromptListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { abilities, answers, Bell, Bells, type BoardClient, textOf, toSdkOptions, toStoryResult } from './client.js'
import { createListeningFetch } from './listening-fetch.js'

/** A client of SDK v1, which speaks legacy only. */
export const v1OverHttp = async (url: string): Promise<BoardClient> => {
  const { listening, fetch } = createListeningFetch()
  const client = await open(new StreamableHTTPClientTransport(new URL(url), { fetch }) as Transport)
  await listening
  return client
}

export const v1OverStdio = (command: string, args: readonly string[]): Promise<BoardClient> =>
  open(new StdioClientTransport({ command, args: [...args], stderr: 'ignore' }))

const open = async (transport: Transport): Promise<BoardClient> => {
  const client = new Client({ name: 'sdk-v1', version: '1' }, { capabilities: abilities })
  const tools = new Bell()
  const prompts = new Bell()
  const updates = new Bells()
  client.setRequestHandler(ElicitRequestSchema, () => answers.elicitation)
  client.setRequestHandler(CreateMessageRequestSchema, () => answers.sampling)
  client.setRequestHandler(ListRootsRequestSchema, () => answers.roots)
  client.setNotificationHandler(ToolListChangedNotificationSchema, tools.ring)
  client.setNotificationHandler(PromptListChangedNotificationSchema, prompts.ring)
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => updates.of(params.uri).ring())
  await client.connect(transport)
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}, options) => {
      const result = await client.callTool({ name, arguments: args }, undefined, toSdkOptions(options))
      return toStoryResult(result as Parameters<typeof toStoryResult>[0])
    },
    changed: () => tools.heard(),
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    follow: async (uri) => void (await client.subscribeResource({ uri })),
    updated: (uri) => updates.of(uri).heard(),
    promptsChanged: () => prompts.heard(),
    close: () => client.close(),
  }
}
