import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { GatewayError, messageOf } from '../../errors.js'

type AnyFunction = (...args: any[]) => unknown

/**
 * A synchronous form. A synchronous function is its own; an asynchronous one runs from its source text in a worker
 * thread while this thread waits, since no event loop can be entered from within itself. That needs a function that
 * uses only its arguments, globals and dynamic imports: names from around it do not exist over there.
 */
export const syncify =
  <F extends AnyFunction>(fn: F, { timeoutMs = 30_000 } = {}): ((...args: Parameters<F>) => Awaited<ReturnType<F>>) =>
  (...args) => {
    if (isAsyncFunction(fn)) return runInWorker(fn, args, timeoutMs) as Awaited<ReturnType<F>>
    const value = fn(...args)
    if (isThenable(value)) throw asyncOnly(fn, 'it returned a promise')
    return value as Awaited<ReturnType<F>>
  }

/** An asynchronous form: whatever it returns or throws comes through a promise. */
export const asyncify =
  <F extends AnyFunction>(fn: F) =>
  async (...args: Parameters<F>): Promise<Awaited<ReturnType<F>>> =>
    (await fn(...args)) as Awaited<ReturnType<F>>

/** A form that takes options by name and hands on only those the function knows. */
export const autoOptionsFunc =
  <R>(fn: (options: Record<string, unknown>) => R, known: readonly string[]) =>
  (options: Record<string, unknown> = {}): R =>
    fn(Object.fromEntries(known.filter((name) => Object.hasOwn(options, name)).map((name) => [name, options[name]])))

export const FunctionShifter = Object.freeze({
  syncify,
  asyncify,
  autoOptionsFunc,
  auto_options_func: autoOptionsFunc,
})

const isAsyncFunction = (fn: AnyFunction): boolean => Object.prototype.toString.call(fn) === '[object AsyncFunction]'

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'

// Compilers may wrap names in `__name(…)`; the copy over there needs it to exist.
const workerCode = `
const { workerData } = require('node:worker_threads')
const __name = (fn) => fn
const { source, args, port, flag } = workerData
const done = (message) => {
  try { port.postMessage(message) } catch (error) { port.postMessage({ error: 'its result cannot be copied between threads: ' + error.message }) }
  Atomics.store(flag, 0, 1)
  Atomics.notify(flag, 0)
}
const compile = () => {
  try { return eval('(' + source + ')') } catch { return Object.values(eval('({' + source + '})'))[0] }
}
Promise.resolve()
  .then(() => compile()(...args))
  .then((value) => done({ value }), (thrown) => done({ error: thrown?.message ?? String(thrown), name: thrown?.name }))
`

type WorkerMessage = { readonly value: unknown } | { readonly error: string; readonly name?: string }

const runInWorker = (fn: AnyFunction, args: readonly unknown[], timeoutMs: number): unknown => {
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const { port1, port2 } = new MessageChannel()
  const worker = startWorker(fn, args, port2, flag)
  try {
    const waited = Atomics.wait(flag, 0, 0, timeoutMs)
    const received = receiveMessageOnPort(port1)?.message as WorkerMessage | undefined
    if (waited === 'timed-out' || !received)
      throw asyncOnly(fn, `it did not settle within ${timeoutMs} ms in a worker thread`)
    if ('value' in received) return received.value
    if (received.name === 'ReferenceError')
      throw asyncOnly(fn, `its copy in a worker thread found that ${received.error}`)
    throw Object.assign(new Error(received.error), received.name ? { name: received.name } : {})
  } finally {
    port1.close()
    void worker.terminate()
  }
}

const startWorker = (fn: AnyFunction, args: readonly unknown[], port: MessageChannel['port2'], flag: Int32Array) => {
  try {
    const worker = new Worker(workerCode, {
      eval: true,
      workerData: { source: fn.toString(), args, port, flag },
      transferList: [port],
    })
    worker.unref()
    return worker
  } catch (cause) {
    throw asyncOnly(fn, `its arguments cannot be copied to a worker thread: ${messageOf(cause)}`)
  }
}

const asyncOnly = (fn: AnyFunction, why: string): GatewayError =>
  new GatewayError(
    'TOOL_ASYNC_ONLY',
    `'${fn.name || 'function'}' has no synchronous form: ${why}. Call it asynchronously instead.`,
  )
