import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { Bell, type StoryClient, toStoryResult } from './client.js'
import { createListeningFetch } from './listening-fetch.js'

export const v1OverHttp = async (url: string): Promise<StoryClient> => {
  const { listening, fetch } = createListeningFetch()
  const client = await open(new StreamableHTTPClientTransport(new URL(url), { fetch }) as Transport)
  await listening
  return client
}

export const v1OverStdio = (command: string, args: readonly string[]): Promise<StoryClient> =>
  open(new StdioClientTransport({ command, args: [...args], stderr: 'ignore' }))

const open = async (transport: Transport): Promise<StoryClient> => {
  const client = new Client({ name: 'sdk-v1', version: '1' })
  const bell = new Bell()
  client.setNotificationHandler(ToolListChangedNotificationSchema, bell.ring)
  await client.connect(transport)
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, { signal, onProgress } = {}) =>
      toStoryResult(
        (await client.callTool({ name, arguments: args }, undefined, {
          ...(signal ? { signal } : {}),
          ...(onProgress ? { onprogress: ({ progress }) => onProgress(progress) } : {}),
        })) as Parameters<typeof toStoryResult>[0],
      ),
    changed: () => bell.heard(),
    close: () => client.close(),
  }
}
