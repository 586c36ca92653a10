import { Worker } from 'node:worker_threads'
import { GatewayError } from '../../../errors.js'
import type { Clock } from '../../../model/clock.js'
import type { ThreadAnswer, ThreadJob, ThreadTask } from './task.js'

export interface OnnxHostOptions {
  readonly task: ThreadTask
  readonly timeoutMs: number
  readonly clock: Clock
}

type Loaded = Extract<ThreadAnswer, { kind: 'loaded' }>

interface Job extends ThreadJob {
  readonly settle: (made: readonly Float32Array[] | GatewayError) => void
}

// Few, so that a query waits for a few tools at most.
const batchSize = 8
const mostWaiting = 256
// Of the thread's own memory; the model lies outside it.
const resourceLimits = { maxOldGenerationSizeMb: 512 }

/** The thread that has the model, begun when first wanted, and the texts that wait for it: one handful at a time, queries first. */
export class OnnxHost {
  readonly #options: OnnxHostOptions
  readonly #queries: Job[] = []
  readonly #tools: Job[] = []
  #worker: Worker | undefined
  #loading: Promise<void> | undefined
  #settleLoading: ((found: Loaded | GatewayError) => void) | undefined
  #running: Job | undefined
  #cancelTimer = (): void => {}
  #loaded: Loaded | undefined
  #ended = closed()

  constructor(options: OnnxHostOptions) {
    this.#options = options
  }

  /** What was read when the model was first loaded; a file that became another later is not used. */
  get loaded(): Loaded | undefined {
    return this.#loaded
  }

  load(): Promise<void> {
    this.#loading ??= this.#begin()
    return this.#loading
  }

  async embed(
    texts: readonly string[],
    { first, signal }: { readonly first: boolean; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Float32Array[]> {
    await unlessAborted(this.load(), signal)
    const vectors: Float32Array[] = []
    for (let from = 0; from < texts.length; from += batchSize) {
      const batch = { texts: texts.slice(from, from + batchSize) }
      vectors.push(...(await this.#ask(batch, first ? this.#queries : this.#tools, signal)))
    }
    return vectors
  }

  /** Ends the thread. Whoever still waits is told so; asked again, the model is loaded again. */
  async close(): Promise<void> {
    await this.#end(closed())
  }

  #begin(): Promise<void> {
    const { task, timeoutMs } = this.#options
    const worker = new Worker(thread, {
      execArgv: [],
      env: {},
      resourceLimits,
      workerData: task,
      stdout: true,
      stderr: true,
    })
    this.#worker = worker
    // The runtime talks to the terminal about what it tells us anyway; over a pipe that would break the protocol.
    worker.stdout.resume()
    worker.stderr.resume()
    worker.on('message', (answer: ThreadAnswer) => worker === this.#worker && this.#hear(answer))
    worker.on('error', (cause) => worker === this.#worker && void this.#end(lost(cause)))
    worker.on('exit', () => worker === this.#worker && void this.#end(lost()))
    this.#startTimer(`The embedding model was not loaded within ${timeoutMs} ms; use a smaller one.`)
    return new Promise((resolve, reject) => {
      this.#settleLoading = (found) => {
        this.#settleLoading = undefined
        if (found instanceof GatewayError) return reject(found)
        this.#loaded ??= found
        if (this.#loaded.fingerprint === found.fingerprint) return resolve()
        const other = new GatewayError(
          'CONFIG_INVALID',
          'The model file or its vocabulary became another; start again to use it.',
        )
        reject(other)
        void this.#end(other)
      }
    })
  }

  #hear(answer: ThreadAnswer): void {
    this.#cancelTimer()
    if (this.#settleLoading) {
      if (answer.kind === 'failed') return void this.#end(new GatewayError(answer.code, answer.message))
      this.#worker?.unref()
      if (answer.kind === 'loaded') this.#settleLoading(answer)
      return
    }
    const job = this.#running
    this.#running = undefined
    this.#worker?.unref()
    if (answer.kind === 'embedded') job?.settle(answer.vectors)
    else if (answer.kind === 'failed') job?.settle(new GatewayError(answer.code, answer.message))
    this.#next()
  }

  #ask(job: ThreadJob, queue: Job[], signal: AbortSignal | undefined): Promise<readonly Float32Array[]> {
    // It may have ended between two handfuls.
    if (!this.#worker) return Promise.reject(this.#ended)
    if (queue.length >= mostWaiting) return Promise.reject(busy())
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const place = queue.indexOf(waiting)
        if (place >= 0) queue.splice(place, 1)
        reject(cancelled())
      }
      const waiting: Job = {
        ...job,
        settle: (made) => {
          signal?.removeEventListener('abort', leave)
          if (made instanceof GatewayError) reject(made)
          else resolve(made)
        },
      }
      if (signal?.aborted) return leave()
      signal?.addEventListener('abort', leave, { once: true })
      queue.push(waiting)
      this.#next()
    })
  }

  #next(): void {
    if (this.#running || !this.#worker) return
    const job = this.#queries.shift() ?? this.#tools.shift()
    if (!job) return
    this.#running = job
    this.#worker.ref()
    this.#worker.postMessage({ texts: job.texts } satisfies ThreadJob)
    this.#startTimer(`The embedding model did not answer within ${this.#options.timeoutMs} ms.`)
  }

  /** A thread that is late may never look up again: it is ended, and the next text begins another. */
  #startTimer(message: string): void {
    this.#cancelTimer = this.#options.clock.after(this.#options.timeoutMs, () => {
      void this.#end(new GatewayError('DEADLINE_EXCEEDED', message))
    })
  }

  async #end(reason: GatewayError): Promise<void> {
    this.#cancelTimer()
    this.#ended = reason
    const worker = this.#worker
    this.#worker = undefined
    this.#loading = undefined
    const jobs = [this.#running, ...this.#queries.splice(0), ...this.#tools.splice(0)]
    this.#running = undefined
    this.#settleLoading?.(reason)
    for (const job of jobs) job?.settle(reason)
    await worker?.terminate()
  }
}

const thread = import.meta.url.endsWith('.ts')
  ? new URL('../../../../dist/search/embedding/onnx/thread.js', import.meta.url)
  : new URL('./thread.js', import.meta.url)

const unlessAborted = (promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> => {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(cancelled())
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

const closed = (): GatewayError => new GatewayError('CALL_CANCELLED', 'The embedding model was closed.')

const cancelled = (): GatewayError => new GatewayError('CALL_CANCELLED', 'The search was cancelled.')

const lost = (cause?: unknown): GatewayError =>
  new GatewayError('SOURCE_UNAVAILABLE', 'The thread of the embedding model ended; the next search begins another.', {
    cause,
  })

const busy = (): GatewayError =>
  new GatewayError('OVERLOADED', 'Too many texts wait for the embedding model; try again shortly.', {
    retryAfterMs: 1000,
  })
