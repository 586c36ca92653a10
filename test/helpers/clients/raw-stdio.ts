import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Bell, type StoryCall, type StoryClient } from './client.js'
import {
  initializeParams,
  isListChanged,
  type RawEra,
  type RawMessage,
  rawRequest,
  resultOf,
  storyResultOf,
} from './raw-messages.js'

interface Waiting {
  readonly onProgress: ((progress: number) => void) | undefined
  readonly token: string
  answer(message: RawMessage): void
  fail(error: Error): void
}

/** Lines over pipes by hand, as the spec of each era words it. */
export const rawOverStdio = async (era: RawEra, command: string, args: readonly string[]): Promise<StoryClient> => {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  const bell = new Bell()
  const waiting = new Map<number | string, Waiting>()
  let lastId = 0

  const send = (message: RawMessage): void => void child.stdin.write(`${JSON.stringify(message)}\n`)
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line)
    if (isListChanged(message)) bell.ring()
    else if (message.method === 'notifications/progress')
      for (const { token, onProgress } of waiting.values())
        if (token === message.params.progressToken) onProgress?.(message.params.progress)
    if (message.id === undefined) return
    waiting.get(message.id)?.answer(message)
    waiting.delete(message.id)
  })

  child.once('exit', () => {
    for (const { fail } of waiting.values()) fail(new Error('The server ended.'))
  })

  const ask = (
    method: string,
    params: Record<string, unknown>,
    { signal, onProgress }: StoryCall = {},
  ): Promise<RawMessage> =>
    new Promise((resolve, reject) => {
      const id = ++lastId
      const token = `token ${id}`
      waiting.set(id, { onProgress, token, answer: resolve, fail: reject })
      // A cancelled request is never answered, so leaving it is up to us.
      signal?.addEventListener('abort', () => {
        send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
        reject(new Error('cancelled'))
      })
      send(rawRequest(era, id, method, params, onProgress ? token : undefined))
    })

  if (era === 'legacy') {
    resultOf(await ask('initialize', initializeParams))
    send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  } else send(rawRequest(era, 'listen', 'subscriptions/listen', { notifications: { toolsListChanged: true } }))

  return {
    list: async () => resultOf(await ask('tools/list', {})).tools.map((tool: { name: string }) => tool.name),
    call: async (name, args, options) => storyResultOf(await ask('tools/call', { name, arguments: args }, options)),
    changed: () => bell.heard(),
    close: async () => {
      if (child.exitCode !== null) return
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}
