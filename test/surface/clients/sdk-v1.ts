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
} from '@modelcontextprotocol/sdk/types.js'
import { Bell } from '../../helpers/clients/client.js'
import { createListeningFetch } from '../../helpers/clients/listening-fetch.js'
import { abilities, answers, type BoardClient, textOf } from './board-client.js'

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
  const client = new Client({ name: 'board-v1', version: '1' }, { capabilities: abilities })
  const updates = new Bell()
  const changes = new Bell()
  client.setRequestHandler(ElicitRequestSchema, () => answers.elicitation)
  client.setRequestHandler(CreateMessageRequestSchema, () => answers.sampling)
  client.setRequestHandler(ListRootsRequestSchema, () => answers.roots)
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, updates.ring)
  client.setNotificationHandler(PromptListChangedNotificationSchema, changes.ring)
  await client.connect(transport)
  return {
    call: async (name, args = {}, { signal, onProgress } = {}) => {
      const options = {
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onprogress: ({ progress }: { progress: number }) => onProgress(progress) } : {}),
      }
      return textOf((await client.callTool({ name, arguments: args }, undefined, options)).content)
    },
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    follow: async (uri) => void (await client.subscribeResource({ uri })),
    updated: () => updates.heard(),
    promptsChanged: () => changes.heard(),
    close: () => client.close(),
  }
}
