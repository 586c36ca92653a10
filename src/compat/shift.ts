import { asyncOnly } from './async-only.js'
import { runInWorker } from './run-in-worker.js'

type AnyFunction = (...args: any[]) => unknown

export interface SyncifyOptions {
  /** How long the thread waits. Default 30,000. */
  readonly timeoutMs?: number | undefined
}

/**
 * A synchronous form. A synchronous function is its own; an asynchronous one runs from its source text in a worker
 * thread while this thread waits, since no event loop can be entered from within itself. That needs a function that
 * uses only its arguments, globals and dynamic imports: names from around it, and `this`, do not exist over there.
 */
export const syncify =
  <F extends AnyFunction>(
    fn: F,
    { timeoutMs = 30_000 }: SyncifyOptions = {},
  ): ((...args: Parameters<F>) => Awaited<ReturnType<F>>) =>
  (...args) => {
    if (isAsyncFunction(fn)) return runInWorker(fn, args, timeoutMs) as Awaited<ReturnType<F>>
    const value = fn(...args)
    if (isThenable(value)) throw asyncOnly(fn.name, 'it returned a promise')
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
