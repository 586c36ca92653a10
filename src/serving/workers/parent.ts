import cluster, { type Worker } from 'node:cluster'
import { availableParallelism } from 'node:os'
import type { Config } from '../../config/schema.js'
import { GatewayError, messageOf } from '../../errors.js'
import type { Listening } from '../../http/host.js'
import { systemClock } from '../../model/clock.js'
import { Asker, answerOver, type KeeperLine } from '../../storage/parent/line.js'
import type { Logger } from '../../telemetry/logger.js'
import { say } from '../locale.js'
import { newLocalKey } from '../running/record.js'
import { lineOver } from './channel.js'
import type { OpenedPort, Part } from './part.js'
import { SummedMetrics } from './sum-metrics.js'
import type { ParentWork, WorkerProblem, WorkerWork } from './work.js'

export interface WorkersOptions {
  readonly count: number
  readonly server: Pick<Config['server'], 'host' | 'port'>
  readonly logger: () => Logger
  /** Our name in the fleet that the processes are. */
  readonly replica: string
  /** Whoever listens in our place lets go of the port, and says which it was. */
  readonly makeWay: (() => Promise<number>) | undefined
  /** Answers what a worker asks of the storage; undefined where each opens it by itself. */
  readonly serveStorage: ((line: KeeperLine) => void) | undefined
  /** What this process itself counted. */
  metrics(): string
}

/** How many processes a configuration asks for. */
export const workerCountOf = ({ server: { workers } }: Pick<Config, 'server'>): number =>
  workers === 'auto' ? availableParallelism() : workers

interface Running {
  readonly number: number
  readonly worker: Worker
  readonly work: Asker<WorkerWork>
  readonly since: number
  isBegun: boolean
  isServing: boolean
}

// A worker that lived so long had no trouble with its start.
const steadyMs = 10_000
const [firstPauseMs, longestPauseMs] = [100, 10_000]

/**
 * The processes behind one port. Whichever of them is free takes a connection (`SCHED_NONE`). Handing them out in turn balances
 * no better (64 callers: half and half either way), costs this process its share, and what was on its way to a worker that is
 * killed hangs for ever. A port each by SO_REUSEPORT needs Node 22, and what waits at a killed worker's is cut.
 */
export class Workers implements Part {
  readonly role = 'parent'
  readonly replica: string
  readonly takes: Part['takes']
  readonly localKey = newLocalKey()
  readonly #options: WorkersOptions
  readonly #running = new Map<number, Running>()
  readonly #pauses = new Map<number, number>()
  readonly #metrics = new SummedMetrics()
  readonly #onChange: ((pin: string | undefined) => void)[] = []
  #begin!: () => void
  readonly #mayBegin = new Promise<void>((resolve) => {
    this.#begin = resolve
  })
  #opened: { resolve(port: OpenedPort): void; reject(problem: unknown): void } | undefined
  /** The port that workers are told to listen at. */
  #asked: number
  #first: OpenedPort | undefined
  /** Known once all serve. */
  #port: OpenedPort | undefined
  #isAsked = false
  #isStopping = false
  #nextId = 1

  constructor(options: WorkersOptions) {
    this.#options = options
    this.replica = options.replica
    this.takes = options.serveStorage ? 'first' : undefined
    this.#asked = options.server.port
    if (process.env.NODE_CLUSTER_SCHED_POLICY === undefined) cluster.schedulingPolicy = cluster.SCHED_NONE
    cluster.setupPrimary({ serialization: 'json' })
    // They load while we open what is stored.
    for (let number = 1; number <= options.count; number++) this.#start(number)
  }

  /** Lets the workers begin; resolves when all of them serve. */
  open(): Promise<OpenedPort> {
    const opened = new Promise<OpenedPort>((resolve, reject) => {
      this.#opened = { resolve, reject }
    })
    this.#takePort().then(this.#begin, this.#opened!.reject)
    return opened
  }

  /** Whoever waited for the database at a free port was found there. */
  async #takePort(): Promise<void> {
    const keptFor = await this.#options.makeWay?.()
    this.#asked ||= keptFor ?? 0
  }

  changed(): void {}

  onChange(listener: (pin: string | undefined) => void): void {
    this.#onChange.push(listener)
  }

  asked(): void {
    this.#isAsked = true
  }

  readonly metrics = async (): Promise<string> => {
    const pages = new Map<number, string | undefined>([[0, this.#options.metrics()]])
    const ask = async ([id, { work }]: readonly [number, Running]): Promise<void> => {
      pages.set(id, undefined)
      const page = await Promise.race([work.ask('metrics').catch(() => undefined), afterMs(metricsPatienceMs)])
      pages.set(id, page)
    }
    await Promise.all([...this.#running].filter(([, { isServing }]) => isServing).map(ask))
    return this.#metrics.sum(pages)
  }

  /** The processes that serve now. */
  list(): readonly { readonly number: number; readonly pid: number | undefined }[] {
    return [...this.#running.values()]
      .filter(({ isServing }) => isServing)
      .map(({ number, worker }) => ({ number, pid: worker.process.pid }))
  }

  /** All say that they are not ready, for the time that a balancer needs to notice. */
  async drain(): Promise<void> {
    this.#isStopping = true
    await this.#tellAll(async ({ work, isServing }) => {
      if (isServing) await work.ask('drain', this.#isAsked)
    })
  }

  /** Resolves when all have ended: what runs is answered first, since its answer may come from this process. */
  async close(): Promise<void> {
    this.#isStopping = true
    await this.#tellAll(async ({ work, worker, isServing }) => {
      if (worker.isDead()) return
      const ended = new Promise<void>((resolve) => void worker.once('exit', () => resolve()))
      if (isServing) {
        work.ask('stop').catch(() => {})
        await Promise.race([ended, afterMs(endPatienceMs)])
      }
      worker.process.kill('SIGKILL')
      await ended
    })
  }

  async #tellAll(tell: (each: Running) => Promise<void>): Promise<void> {
    await Promise.all([...this.#running.values()].map((each) => tell(each).catch(() => {})))
  }

  #start(number: number): void {
    const worker = cluster.fork()
    const id = this.#nextId++
    const work = lineOver(worker.process, 'work')
    const running: Running = {
      ...{ number, worker, since: systemClock.now(), isBegun: false, isServing: false },
      work: new Asker<WorkerWork>(work),
    }
    this.#running.set(id, running)
    this.#options.serveStorage?.(lineOver(worker.process, 'storage'))
    answerOver<ParentWork>(work, this.#answersFor(running))
    // What goes wrong with it is told by its end.
    worker.on('error', () => {})
    worker.once('exit', (code, signal) => {
      this.#running.delete(id)
      this.#metrics.ended(id)
      if (!this.#isStopping) this.#again(running, code ?? signal)
    })
  }

  #answersFor(running: Running): ParentWork {
    const { number } = running
    return {
      begin: async () => {
        await this.#mayBegin
        const { replica, server, serveStorage } = this.#options
        return {
          ...{ number, replica: `${replica}.${number}`, localKey: this.localKey, isKept: serveStorage !== undefined },
          ...{ host: server.host, port: this.#portFor(running) },
        }
      },
      serves: async (listening, { pin }) => this.#serves(running, listening, pin),
      failed: async (problem) => this.#failed(number, problem),
      changed: async ({ pin }) => {
        for (const listener of this.#onChange) listener(pin)
      },
      asked: async () => this.asked(),
      metrics: () => this.metrics(),
    }
  }

  /**
   * One that starts later goes where the others are, whatever the file says by now. They share what was opened for the port
   * that was asked for, 0 as well; when the last of them has ended it is closed, and the port must be had anew.
   */
  #portFor(asking: Running): number {
    const isShared = [...this.#running.values()].some((each) => each !== asking && each.isBegun)
    if (!isShared && this.#first) this.#asked = this.#first.port
    asking.isBegun = true
    return this.#asked
  }

  #serves(running: Running, { url, host, port }: Listening, pin: string | undefined): void {
    running.isServing = true
    this.#first ??= { url, host, port, pin }
    if (this.list().length < this.#options.count || !this.#opened) return
    this.#port = this.#first
    this.#opened.resolve(this.#port)
  }

  #failed(number: number, { code, message, details }: WorkerProblem): void {
    const problem = new GatewayError(code, message, { details })
    if (this.#port === undefined) this.#opened?.reject(problem)
    else this.#options.logger().log('error', `Worker ${number} cannot serve: ${messageOf(problem)}`, { worker: number })
  }

  #again({ number, since }: Running, end: number | string | undefined): void {
    if (this.#port === undefined)
      return this.#opened?.reject(
        new GatewayError(
          'INTERNAL',
          say(`Worker ${number} ended during its start (${end}).`, `工作进程 ${number} 在启动时结束（${end}）。`),
        ),
      )
    const wasSteady = systemClock.now() - since > steadyMs
    const pauseMs = wasSteady ? 0 : Math.min((this.#pauses.get(number) ?? firstPauseMs / 2) * 2, longestPauseMs)
    this.#pauses.set(number, pauseMs)
    this.#options.logger().log('warn', `Worker ${number} has ended (${end}); another takes its place`, {
      worker: number,
    })
    systemClock.after(pauseMs, () => {
      if (!this.#isStopping) this.#start(number)
    })
  }
}

// One that hangs must not keep the page of the others from whoever reads it.
const metricsPatienceMs = 1000
// What runs in a worker has six seconds to end.
const endPatienceMs = 8000

const afterMs = (ms: number): Promise<undefined> =>
  new Promise((resolve) => void systemClock.after(ms, () => resolve(undefined)))
