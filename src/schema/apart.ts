import { Worker } from 'node:worker_threads'
import { GatewayError } from '../errors.js'
import type { JsonObject } from '../model/json.js'
import type { Limits } from './limits.js'
import type { Validation } from './schemas.js'

/** What the thread is asked. */
export interface ApartQuestion {
  readonly schema: JsonObject
  readonly value: unknown
  readonly limits: Limits
}

interface Job extends ApartQuestion {
  readonly whose: string
  readonly settle: (found: Validation | GatewayError) => void
}

// Few: each may take half a second, and whoever waits longer has given up.
const mostWaiting = 16
const mostOfOne = 2
// The thread looks at its own clock; beyond this it is stuck in something that never looks.
const patience = 4
const idleMs = 2_000
// Enough for the largest arguments and what is remembered about them. A thread that needs more ends, and nothing else does.
const resourceLimits = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8 }

/**
 * Checks that take too long for the thread that serves everybody are done in another (S4), one after the other. Nobody may
 * have more than a few waiting, so that one caller's bombs do not keep another's large arguments out.
 */
export class Apart {
  readonly #waiting: Job[] = []
  #worker: Worker | undefined
  #running: Job | undefined
  #timer: NodeJS.Timeout | undefined

  check(question: ApartQuestion, whose: string): Promise<Validation> {
    const waiting = this.#waiting.length + (this.#running ? 1 : 0)
    const own = this.#waiting.filter((job) => job.whose === whose).length + (this.#running?.whose === whose ? 1 : 0)
    if (waiting >= mostWaiting || own >= mostOfOne) return Promise.reject(busy())
    return new Promise((resolve, reject) => {
      const settle = (found: Validation | GatewayError): void =>
        found instanceof GatewayError ? reject(found) : resolve(found)
      this.#waiting.push({ ...question, whose, settle })
      // Copying the value takes its time too, and the check that led here has just had some.
      setImmediate(() => this.#next())
    })
  }

  #next(): void {
    if (this.#running || this.#waiting.length === 0) return
    const job = this.#waiting.shift()!
    this.#running = job
    clearTimeout(this.#timer)
    try {
      this.#worker ??= this.#start()
      this.#worker.ref()
      const { schema, value, limits } = job
      this.#worker.postMessage({ schema, value, limits } satisfies ApartQuestion)
      this.#timer = setTimeout(() => this.#end(), limits.checkTimeoutMs * patience)
    } catch {
      // What cannot be copied (a function in the arguments of a program) cannot be checked there.
      this.#settle(outOfTime(job.limits.checkTimeoutMs))
    }
  }

  #start(): Worker {
    const worker = new Worker(thread, { execArgv: [], env: {}, resourceLimits })
    worker.on('message', (found: Validation) => worker === this.#worker && this.#settle(found))
    worker.on('error', () => worker === this.#worker && this.#end())
    worker.on('exit', () => worker === this.#worker && this.#end())
    return worker
  }

  #settle(found: Validation | GatewayError): void {
    const job = this.#running
    this.#running = undefined
    clearTimeout(this.#timer)
    this.#worker?.unref()
    this.#timer = setTimeout(() => this.#end(), idleMs)
    this.#timer.unref()
    job?.settle(found)
    setImmediate(() => this.#next())
  }

  #end(): void {
    clearTimeout(this.#timer)
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
    const job = this.#running
    if (job) this.#settle(outOfTime(job.limits.checkTimeoutMs))
  }
}

const thread = import.meta.url.endsWith('.ts')
  ? new URL('../../dist/schema/apart-thread.js', import.meta.url)
  : new URL('./apart-thread.js', import.meta.url)

const outOfTime = (timeoutMs: number): Validation => ({
  ok: false,
  problems: [{ path: '', keyword: 'time', message: `could not be checked within ${timeoutMs} ms; send less at once` }],
  outOfTime: true,
})

const busy = (): GatewayError =>
  new GatewayError('OVERLOADED', 'Too many arguments that take long to check are waiting. Try again shortly.', {
    retryAfterMs: 1000,
    notSent: true,
  })
