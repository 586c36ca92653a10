import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Bell } from '../../helpers/clients/client.js'
import { abilities, answers, type BoardClient, textOf } from './board-client.js'

/** A client of SDK v2 that speaks modern. */
export const v2OverHttp = (url: string): Promise<BoardClient> => open(new StreamableHTTPClientTransport(new URL(url)))

export const v2OverStdio = (command: string, args: readonly string[]): Promise<BoardClient> =>
  open(new StdioClientTransport({ command, args: [...args], stderr: 'ignore' }))

const open = async (transport: Transport): Promise<BoardClient> => {
  const client = new Client(
    { name: 'board-v2', version: '1' },
    { versionNegotiation: { mode: 'auto' }, capabilities: abilities },
  )
  const updates = new Bell()
  const changes = new Bell()
  client.setRequestHandler('elicitation/create', () => answers.elicitation)
  client.setRequestHandler('sampling/createMessage', () => answers.sampling)
  client.setRequestHandler('roots/list', () => answers.roots)
  client.setNotificationHandler('notifications/resources/updated', updates.ring)
  client.setNotificationHandler('notifications/prompts/list_changed', changes.ring)
  await client.connect(transport)
  if (client.getProtocolEra() !== 'modern') throw new Error('The client should speak modern.')
  await client.listen({ promptsListChanged: true })
  return {
    call: async (name, args = {}, { signal, onProgress } = {}) => {
      const options = {
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onprogress: ({ progress }: { progress: number }) => onProgress(progress) } : {}),
      }
      return textOf((await client.callTool({ name, arguments: args }, options)).content)
    },
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    follow: async (uri) => void (await client.listen({ resourceSubscriptions: [uri] })),
    updated: () => updates.heard(),
    promptsChanged: () => changes.heard(),
    close: () => client.close(),
  }
}
