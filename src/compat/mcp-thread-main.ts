/** The thread in which a tool manager's connections live, so that the thread that calls may wait for their answers. */
import { parentPort, workerData } from 'node:worker_threads'
import { Cancel } from '../model/cancel.js'
import type { Outcome } from '../model/outcome.js'
import { resultAnswer } from '../model/result.js'
import type { Logger } from '../telemetry/logger.js'
import { createMcpServers, type RemoteTool } from './mcp-servers.js'
import {
  type CarriedOutcome,
  type CarriedServers,
  carryError,
  type FromThread,
  type ThreadData,
  type ToThread,
} from './mcp-thread-messages.js'

const { timeoutMs, startTimeoutMs, logs, bell } = workerData as ThreadData
const port = parentPort!
const send = (message: FromThread): void => port.postMessage(message)

const loggerFor = (service?: string): Logger => ({
  log: (level, message, meta) =>
    send({ type: 'log', level, message, meta: meta && (JSON.parse(JSON.stringify(meta)) as typeof meta), service }),
  child: loggerFor,
})

const servers = createMcpServers({ timeoutMs, startTimeoutMs, logger: logs ? loggerFor() : undefined })
const tools = new Map<string, RemoteTool>()
const running = new Map<number, Cancel>()

const open = async (message: Extract<ToThread, { type: 'open' }>): Promise<CarriedServers> => {
  const opened = await servers.openAll(message.servers)
  return {
    tools: opened.tools.map((remote) => {
      tools.set(remote.tool.id, remote)
      return { key: remote.tool.id, name: remote.name, tool: remote.tool }
    }),
    failures: opened.failures.map(({ server, error }) => ({ server, error: carryError(error) })),
  }
}

const call = async ({ id, tool, args }: Extract<ToThread, { type: 'call' }>): Promise<CarriedOutcome> => {
  const cancel = new Cancel()
  running.set(id, cancel)
  const outcome = await tools.get(tool)!.call(args, cancel)
  running.delete(id)
  return carry(outcome)
}

const carry = (outcome: Outcome): CarriedOutcome => {
  const { meta } = outcome
  if (!outcome.ok) return { ok: false, error: carryError(outcome.error), meta }
  const { answer } = outcome
  // Between threads only plain objects pass: what is bytes until somebody reads it is read here.
  return answer.raw ? { ok: true, answer: resultAnswer(answer.result), meta } : outcome
}

const ring = (): void => {
  Atomics.add(bell, 0, 1)
  Atomics.notify(bell, 0)
}

const answer = async (message: Exclude<ToThread, { type: 'abort' }>): Promise<FromThread> => {
  const { id, type } = message
  try {
    if (type === 'close') return { type: 'answer', id, answer: await servers.close() }
    return { type: 'answer', id, answer: type === 'open' ? await open(message) : await call(message) }
  } catch (error) {
    return { type: 'refusal', id, error: carryError(error) }
  }
}

port.on('message', async (message: ToThread) => {
  if (message.type === 'abort') return running.get(message.id)?.abort(new Error('Whoever asked has left.'))
  const answered = await answer(message)
  const waiting = message.type === 'call' ? message.port : undefined
  if (!waiting) return send(answered)
  waiting.postMessage(answered)
  waiting.close()
  ring()
})

// Whoever waits on the stack hears no event; the bell is all it has.
process.on('exit', () => {
  Atomics.store(bell, 1, 1)
  ring()
})
