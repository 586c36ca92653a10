import { MessageChannel, receiveMessageOnPort, SHARE_ENV, Worker } from 'node:worker_threads'
import { GatewayError, messageOf } from '../errors.js'
import type { CancelSignal } from '../model/cancel.js'
import { silentLogger } from '../telemetry/logger.js'
import type { McpServers, McpServersOptions, RemoteTool } from './mcp-servers.js'
import {
  type CarriedOutcome,
  type CarriedServers,
  carriedError,
  carriedOutcome,
  type FromThread,
  type ThreadData,
  type ToThread,
} from './mcp-thread-messages.js'
import { type McpServer, parseTransport } from './mcp-transport.js'

/**
 * MCP servers whose connections live in a thread of their own. A caller may then wait on the stack for an answer (003-06,
 * 003-07) of the very process or session that asynchronous calls use.
 */
export const createThreadedMcpServers = (options: McpServersOptions = {}): McpServers => {
  let thread: Thread | undefined
  const openAll = async (servers: readonly McpServer[]) => {
    thread ??= new Thread(options)
    const { tools, failures } = await thread.ask<CarriedServers>({ type: 'open', servers })
    return {
      tools: tools.map((each) => remoteTool(thread!, each)),
      failures: failures.map(({ server, error }) => ({ server, error: carriedError(error) })),
    }
  }
  return {
    open: async (transport) => openAll(parseTransport(transport)),
    openAll,
    close: async () => {
      await thread?.close()
    },
  }
}

const remoteTool = (thread: Thread, { key, name, tool }: CarriedServers['tools'][number]): RemoteTool => ({
  name,
  tool,
  call: async (args, signal) =>
    carriedOutcome(await thread.ask<CarriedOutcome>({ type: 'call', tool: key, args }, signal)),
  callSync: (args) => carriedOutcome(thread.wait<CarriedOutcome>({ type: 'call', tool: key, args })),
})

interface Waiting {
  readonly resolve: (answer: never) => void
  readonly reject: (error: GatewayError) => void
}

type Question =
  | { readonly type: 'open'; readonly servers: readonly McpServer[] }
  | { readonly type: 'close' }
  | CallQuestion
interface CallQuestion {
  readonly type: 'call'
  readonly tool: string
  readonly args: unknown
}

// The thread's own deadline answers first; this is for a thread that no longer can.
const patienceMs = 10 * 60_000

class Thread {
  readonly #bell = new Int32Array(new SharedArrayBuffer(8))
  readonly #waiting = new Map<number, Waiting>()
  readonly #worker: Worker
  readonly #logger: NonNullable<McpServersOptions['logger']>
  #count = 0
  #ended: string | undefined

  constructor({ logger, timeoutMs, startTimeoutMs }: McpServersOptions) {
    this.#logger = logger ?? silentLogger
    const workerData: ThreadData = { timeoutMs, startTimeoutMs, logs: logger !== undefined, bell: this.#bell }
    this.#worker = new Worker(entry, { execArgv: [], env: SHARE_ENV, workerData })
    this.#worker.on('message', (message: FromThread) => this.#receive(message))
    this.#worker.on('error', (error) => this.#end(messageOf(error)))
    this.#worker.on('exit', (code) => this.#end(`it exited with code ${code}`))
  }

  ask<T>(question: Question, signal?: CancelSignal): Promise<T> {
    if (this.#ended !== undefined) return Promise.reject(gone(this.#ended))
    const id = ++this.#count
    const abort = () => this.#send({ type: 'abort', id })
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#send({ ...question, id })
      signal?.addEventListener('abort', abort, { once: true })
    }).finally(() => signal?.removeEventListener('abort', abort))
  }

  /** The same while this thread waits. Its answer has a port of its own: events of others stay where they are. */
  wait<T>(question: CallQuestion): T {
    if (this.#ended !== undefined) throw gone(this.#ended)
    const { port1, port2 } = new MessageChannel()
    try {
      let heard = Atomics.load(this.#bell, 0)
      this.#send({ ...question, id: ++this.#count, port: port2 }, [port2])
      const until = performance.now() + patienceMs
      for (;;) {
        const message = receiveMessageOnPort(port1)?.message as FromThread | undefined
        if (message) return answerOf<T>(message)
        if (Atomics.load(this.#bell, 1) === 1 || performance.now() > until) throw gone('it ended while a call waited')
        Atomics.wait(this.#bell, 0, heard, until - performance.now())
        heard = Atomics.load(this.#bell, 0)
      }
    } finally {
      port1.close()
    }
  }

  async close(): Promise<void> {
    if (this.#ended === undefined) await this.ask({ type: 'close' }).catch(() => {})
    await this.#worker.terminate()
  }

  #send(message: ToThread, transfer: readonly MessageChannel['port2'][] = []): void {
    try {
      this.#worker.postMessage(message, transfer)
    } catch (cause) {
      throw new GatewayError('ARGUMENTS_INVALID', `The arguments are no plain data: ${messageOf(cause)}`, { cause })
    }
  }

  #receive(message: FromThread): void {
    if (message.type === 'log') return this.#log(message)
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (message.type === 'answer') waiting?.resolve(message.answer as never)
    else waiting?.reject(carriedError(message.error))
  }

  #log({ level, message, meta, service }: Extract<FromThread, { type: 'log' }>): void {
    const logger = service === undefined ? this.#logger : this.#logger.child(service)
    logger.log(level, message, meta)
  }

  #end(reason: string): void {
    this.#ended ??= reason
    for (const { reject } of this.#waiting.values()) reject(gone(reason))
    this.#waiting.clear()
  }
}

const answerOf = <T>(message: FromThread): T => {
  if (message.type === 'answer') return message.answer as T
  throw message.type === 'refusal' ? carriedError(message.error) : gone('it answered something else')
}

const gone = (reason: string): GatewayError =>
  new GatewayError('MCP_UNAVAILABLE', `The connections to MCP servers are closed: ${reason}. Call useMcp again.`)

// Threads load files as they are, so from source it is the compiled one.
const entry = import.meta.url.endsWith('.ts')
  ? new URL('../../dist/compat/mcp-thread-main.js', import.meta.url)
  : new URL('./mcp-thread-main.js', import.meta.url)
