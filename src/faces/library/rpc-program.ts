import { randomUUID } from 'node:crypto'
import { GatewayError, isGatewayError } from '../../errors.js'
import { type Clock, systemClock } from '../../model/clock.js'
import { startChild } from '../../sources/stdio/child.js'
import type { ChildCommand } from '../../sources/stdio/command.js'
import { createInstance } from '../../sources/stdio/instance.js'
import { createReaper, type Reaper } from '../../sources/stdio/reaper.js'
import { type Logger, silentLogger } from '../../telemetry/logger.js'
import { Question, RpcRun } from './rpc-run.js'
import { createShared, type Held } from './shared.js'

/** A program that answers JSON-RPC lines: started when first asked, and again after it ended. */
export interface RpcProgram {
  ask(method: string, params: unknown): Promise<unknown>
  close(): Promise<void>
}

export interface RpcProgramOptions {
  readonly command: ChildCommand
  readonly timeoutMs: number
  /** End its input after each question, and start it anew for the next. */
  readonly oneShot: boolean
  readonly clock: Clock
  readonly logger: Logger
}

export const createRpcProgram = (options: RpcProgramOptions): RpcProgram => new Program(options)

// One guard for all programs of this process: it costs a process itself.
const reaper = createShared(
  () => createReaper({ instance: createInstance(), clock: systemClock, logger: silentLogger }),
  (guard) => guard.close(),
)

const maxWaiting = 256

class Program implements RpcProgram {
  readonly #options: RpcProgramOptions
  readonly #runs = new Set<RpcRun>()
  #kept: Promise<RpcRun> | undefined
  /** It answered one question and exited, so each question gets a run of its own. */
  #exitsAfterAnswer = false
  #guard: Held<Reaper> | undefined
  #waiting = 0
  #closed = false

  constructor(options: RpcProgramOptions) {
    this.#options = options
  }

  async ask(method: string, params: unknown): Promise<unknown> {
    const { command, timeoutMs, clock } = this.#options
    if (this.#closed) throw closed(command)
    if (this.#waiting >= maxWaiting) throw overloaded(command)
    this.#waiting += 1
    // Made before anything starts: what JSON cannot hold must not cost a process.
    const id = randomUUID().replaceAll('-', '')
    const line = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    try {
      return await new Promise((resolve, reject) => {
        const question = new Question(id, line, resolve, reject)
        question.onSettled = clock.after(timeoutMs, () => this.#giveUp(question, expired(method, command, timeoutMs)))
        this.#put(question)
      })
    } finally {
      this.#waiting -= 1
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#kept?.catch(() => {})
    const runs = [...this.#runs]
    for (const run of runs) for (const question of run.takeAll()) question.reject(closed(this.#options.command))
    await Promise.all(runs.map((run) => run.close()))
    await this.#guard?.release()
  }

  #put(question: Question): void {
    const alone = this.#options.oneShot || this.#exitsAfterAnswer
    const run = alone ? this.#start() : (this.#kept ??= this.#start())
    run.then(
      (started) => {
        if (question.settled) return void (alone && started.close())
        if (started.put(question)) return void (this.#options.oneShot && started.close())
        this.#letGo(run)
        this.#put(question)
      },
      (error) => {
        this.#letGo(run)
        question.reject(error)
      },
    )
  }

  #letGo(run: Promise<RpcRun>): void {
    if (run === this.#kept) this.#kept = undefined
  }

  async #start(): Promise<RpcRun> {
    const { command, clock, logger, oneShot, timeoutMs } = this.#options
    this.#guard ??= reaper.hold()
    const child = await startChild({
      ...command,
      clock,
      logger: withoutCleanEnds(logger),
      reaper: this.#guard.value,
      hostEnv: process.env,
      // With its input ended it may still take as long as a call may.
      ...(oneShot ? { stopTimes: { inputMs: timeoutMs } } : {}),
    })
    // It has no handshake: running is all it has to prove.
    child.started()
    const run = new RpcRun(child, logger, (reason) => this.#ended(run, reason))
    this.#runs.add(run)
    if (this.#closed) await run.close()
    return run
  }

  #ended(run: RpcRun, reason: Error | undefined): void {
    this.#runs.delete(run)
    const kept = this.#kept
    void kept?.then((each) => each === run && this.#letGo(kept))
    const left = run.takeAll()
    if (left.length === 0) return
    if (!isCleanEnd(reason)) for (const question of left) question.reject(reason!)
    else this.#afterCleanEnd(run, left)
  }

  /** It ended well without answering these. Silence is an empty answer (000-12), for the one it was asked first. */
  #afterCleanEnd(run: RpcRun, left: readonly Question[]): void {
    const [first, ...others] = left
    if (run.answers === 0 && run.lines === 0) this.#emptyAnswer(first!, run)
    else if (run.answers === 0 || (run.answers > 1 && !this.#exitsAfterAnswer))
      return left.forEach((question) => void question.reject(unanswered(this.#options.command)))
    const again = run.answers === 0 ? others : left
    // It takes one question per run: the others were waiting behind a program that had already decided to end.
    this.#exitsAfterAnswer = true
    for (const question of again) this.#put(question)
  }

  #emptyAnswer(question: Question, run: RpcRun): void {
    const stderr = run.stderrTail()
    const { command } = this.#options.command
    if (stderr) this.#options.logger.log('warn', `${command} answered nothing`, { stderr })
    question.resolve({})
  }

  #giveUp(question: Question, error: GatewayError): void {
    if (question.settled) return
    question.reject(error)
    for (const run of this.#runs) if (run.forget(question) && this.#exitsAfterAnswer) void run.close()
  }
}

/** A program that exits after its answer did not crash, whatever those think who expect it to stay. */
const withoutCleanEnds = (logger: Logger): Logger => ({
  log: (level, message, meta) => logger.log(meta?.exitCode === 0 ? 'debug' : level, message, meta),
  child: (service) => withoutCleanEnds(logger.child(service)),
})

/** Ended by us after its input was, or by itself with exit code 0. */
const isCleanEnd = (reason: Error | undefined): boolean =>
  reason === undefined || (isGatewayError(reason) && reason.details?.exitCode === 0)

const closed = ({ command }: ChildCommand): GatewayError =>
  new GatewayError('SOURCE_UNAVAILABLE', `The adapter of ${command} is closed; make a new one.`, { notSent: true })

const overloaded = ({ command }: ChildCommand): GatewayError =>
  new GatewayError('OVERLOADED', `${maxWaiting} calls already wait for ${command}; try again later.`, { notSent: true })

const unanswered = ({ command }: ChildCommand): GatewayError =>
  new GatewayError('SOURCE_UNAVAILABLE', `${command} ended without an answer. It may still have run the tool.`)

const expired = (method: string, { command }: ChildCommand, timeoutMs: number): GatewayError =>
  new GatewayError(
    'DEADLINE_EXCEEDED',
    `${command} did not answer '${method}' within ${timeoutMs} ms. It may still have run; raise timeoutMs if it needs longer.`,
    { details: { timeoutMs } },
  )
