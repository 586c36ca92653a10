import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { messageOf } from '../errors.js'
import { defined } from '../model/json.js'
import { asyncOnly } from './async-only.js'
import { workerCode } from './worker-code.js'

type AnyFunction = (...args: any[]) => unknown

/** How it ended over there; `stuck` is a reason why the copy could not do what the original would. */
type WorkerMessage =
  | { readonly value: unknown }
  | { readonly stuck: string }
  | {
      readonly error: string
      readonly name?: string | undefined
      readonly code?: unknown
      readonly stack?: string | undefined
    }

/**
 * Runs a copy of the function in a thread of its own and waits for it. Whatever happens there ends that thread alone: it
 * tells by itself what it threw and that it ended, since this thread hears no events while it waits.
 */
export const runInWorker = (fn: AnyFunction, args: readonly unknown[], timeoutMs: number): unknown => {
  const source = Function.prototype.toString.call(fn)
  if (/\{\s*\[native code\]\s*\}$/.test(source))
    throw asyncOnly(fn.name, 'it is bound or native, so it has no source text that could run elsewhere')
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const { port1, port2 } = new MessageChannel()
  const worker = startWorker(fn, { source, args, port: port2, flag })
  try {
    Atomics.wait(flag, 0, 0, timeoutMs)
    const received = receiveMessageOnPort(port1)?.message as WorkerMessage | undefined
    if (!received) throw asyncOnly(fn.name, `it did not settle within ${timeoutMs} ms in a worker thread`)
    return unwrap(received, fn)
  } finally {
    port1.close()
    void worker.terminate()
  }
}

const unwrap = (received: WorkerMessage, fn: AnyFunction): unknown => {
  if ('value' in received) return received.value
  if ('stuck' in received) throw asyncOnly(fn.name, received.stuck)
  const { error, ...facts } = received
  throw Object.assign(new Error(error), defined(facts))
}

interface WorkerJob {
  readonly source: string
  readonly args: readonly unknown[]
  readonly port: MessageChannel['port2']
  readonly flag: Int32Array
}

const startWorker = (fn: AnyFunction, job: WorkerJob): Worker => {
  try {
    const worker = new Worker(workerCode, {
      eval: true,
      // Flags of this process may say that text is a module, or load what must not run twice.
      execArgv: [],
      env: environment(),
      workerData: job,
      transferList: [job.port],
    })
    // After the call nobody asks any more; without a listener its failure would be this process's end.
    worker.on('error', () => {})
    worker.unref()
    return worker
  } catch (cause) {
    throw asyncOnly(fn.name, `its arguments cannot be copied to a worker thread: ${messageOf(cause)}`)
  }
}

const moduleFlags = /--(?:input-type|experimental-default-type)(?:=|\s+)\S+/g

const environment = (): NodeJS.ProcessEnv => {
  const options = process.env.NODE_OPTIONS
  return options === undefined ? process.env : { ...process.env, NODE_OPTIONS: options.replace(moduleFlags, '') }
}
