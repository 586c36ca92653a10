import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { bareEnv, cliPath } from '../helpers/run-cli.js'

export interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> }
}

/** A client over stdio that says exactly what the test says, and keeps all that it hears. */
export interface LineClient {
  readonly child: ChildProcess
  readonly heard: readonly Message[]
  stderr(): string
  send(message: object): void
  /** Sends a request and waits for its answer. */
  ask(method: string, params?: object): Promise<Message>
  /** The legacy handshake. */
  greet(): Promise<Message>
  close(): Promise<number | null>
}

/** Started in a folder, which is its home as well unless `place` says otherwise; a file there is named to it. */
export const startLineClient = (
  folder: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  place: { readonly home?: string; readonly named?: boolean } = {},
): LineClient => {
  const child = spawn(process.execPath, [cliPath(), 'stdio', ...args], {
    cwd: folder,
    env: bareEnv(place.home ?? folder, env, place.named === false ? 'unnamed' : folder),
  })
  const heard: Message[] = []
  const waiting = new Map<unknown, (message: Message) => void>()
  const failing = new Set<() => void>()
  child.once('close', () => {
    for (const fail of failing) fail()
  })
  let stderr = ''
  let last = 0
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Message
    heard.push(message)
    if (message.method === undefined) waiting.get(message.id)?.(message)
  })
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = (method: string, params: object = {}): Promise<Message> =>
    new Promise((resolve, reject) => {
      const id = ++last
      waiting.set(id, resolve)
      failing.add(() => reject(new Error(`It ended before it answered ${method}:\n${stderr}`)))
      send({ id, method, params })
    })
  return {
    child,
    heard,
    stderr: () => stderr,
    send,
    ask,
    greet: async () => {
      const clientInfo = { name: 'test', version: '1' }
      const answer = await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
      send({ method: 'notifications/initialized' })
      return answer
    },
    close: async () => {
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'close')
      return child.exitCode
    },
  }
}
