import { Worker } from 'node:worker_threads'
import { threadStackMb, watchdogEveryMs, watchdogGraceMs } from './limits.js'
import {
  type FromScriptThread,
  meterSince,
  meterUsed,
  newMeter,
  parseFromScriptThread,
  processMs,
  type ToScriptThread,
} from './protocol.js'

/** Who a thread works for at the moment. */
export interface ThreadUser {
  hear(message: Exclude<FromScriptThread, { type: 'ready' }>): void
  /** The thread is gone before its script ended: for want of time, of memory, or it never came up. */
  lost(why: 'cpu' | 'memory' | 'start'): void
}

// Of V8: answers pass through here as text. What scripts themselves use is the engine's own memory, which has its own bound.
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16, stackSizeMb: threadStackMb }

/** A thread for scripts, one at a time, with a watchdog that looks only while one runs. */
export class Thread {
  readonly #worker: Worker
  readonly #meter = newMeter()
  #user: ThreadUser | undefined
  #budgetMs = 0
  #watchdog: NodeJS.Timeout | undefined
  #isReady = false
  #isGone = false

  constructor() {
    // No environment, no arguments, no input; what it might print goes nowhere.
    this.#worker = new Worker(entry, {
      workerData: this.#meter,
      execArgv: [],
      argv: [],
      env: {},
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits,
    })
    this.#worker.stdout.resume()
    this.#worker.stderr.resume()
    this.#worker.on('message', (message: unknown) => this.#heard(message))
    this.#worker.on('error', () => this.#lose(this.#isReady ? 'memory' : 'start'))
    this.#worker.on('exit', () => this.#lose(this.#isReady ? 'memory' : 'start'))
    this.#worker.unref()
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** From now on for this user, until `rest` or the end of the thread. */
  work(user: ThreadUser, budgetMs: number): void {
    this.#user = user
    this.#budgetMs = budgetMs
    this.#meter.fill(0)
    this.#worker.ref()
    this.#watchdog = setInterval(() => this.#look(), watchdogEveryMs)
  }

  say(message: ToScriptThread): void {
    if (!this.#isGone) this.#worker.postMessage(message)
  }

  rest(): void {
    this.#user = undefined
    clearInterval(this.#watchdog)
    this.#worker.unref()
  }

  /** Whatever it is doing. Nothing is heard of it afterwards. */
  end(): Promise<void> {
    this.rest()
    this.#isGone = true
    return this.#worker.terminate().then(() => undefined)
  }

  #look(): void {
    const since = this.#meter[meterSince]!
    if (since === 0) return
    const usedMs = this.#meter[meterUsed]! + processMs() - since
    if (usedMs > this.#budgetMs + watchdogGraceMs) this.#lose('cpu')
  }

  #heard(message: unknown): void {
    const known = parseFromScriptThread(message)
    if (known?.type === 'ready') this.#isReady = true
    else if (known) this.#user?.hear(known)
    else this.#lose('memory')
  }

  #lose(why: 'cpu' | 'memory' | 'start'): void {
    if (this.#isGone) return
    const user = this.#user
    void this.end()
    user?.lost(why)
  }
}

const entry = import.meta.url.endsWith('.ts')
  ? new URL('../../dist/sandbox/worker.js', import.meta.url)
  : new URL('./worker.js', import.meta.url)
