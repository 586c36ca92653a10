import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Bell, type StoryClient, toStoryResult } from './client.js'
import { createListeningFetch } from './listening-fetch.js'

export type V2Mode = 'legacy' | 'auto'

export const v2OverHttp = async (mode: V2Mode, url: string): Promise<StoryClient> => {
  const { listening, fetch } = createListeningFetch()
  const client = await open(mode, new StreamableHTTPClientTransport(new URL(url), { fetch }))
  await listening
  return client
}

export const v2OverStdio = (mode: V2Mode, command: string, args: readonly string[]): Promise<StoryClient> =>
  open(mode, new StdioClientTransport({ command, args: [...args], stderr: 'ignore' }))

const open = async (mode: V2Mode, transport: Transport): Promise<StoryClient> => {
  const bell = new Bell()
  const client = new Client(
    { name: `sdk-v2-${mode}`, version: '1' },
    {
      versionNegotiation: { mode },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: bell.ring } },
    },
  )
  await client.connect(transport)
  const era = mode === 'auto' ? 'modern' : 'legacy'
  if (client.getProtocolEra() !== era) throw new Error(`The client should speak ${era}.`)
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, { signal, onProgress } = {}) =>
      toStoryResult(
        await client.callTool(
          { name, arguments: args },
          {
            ...(signal ? { signal } : {}),
            ...(onProgress ? { onprogress: ({ progress }) => onProgress(progress) } : {}),
          },
        ),
      ),
    changed: () => bell.heard(),
    close: () => client.close(),
  }
}
