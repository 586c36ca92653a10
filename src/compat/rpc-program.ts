import { randomUUID } from 'node:crypto'
import { GatewayError, isGatewayError } from '../errors.js'
import { type Clock, systemClock } from '../model/clock.js'
import { startChild } from '../sources/stdio/child.js'
import type { ChildCommand } from '../sources/stdio/command.js'
import { createInstance } from '../sources/stdio/instance.js'
import { createReaper, type Reaper } from '../sources/stdio/reaper.js'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import { createShared, type SharedUse } from './held.js'
import { PendingQuestion, RpcRun } from './rpc-run.js'

/** A program that answers JSON-RPC lines: started when first asked, and again after it ended. */
export interface RpcProgram {
  ask(method: string, params: unknown): Promise<unknown>
  close(): Promise<void>
}

export interface RpcProgramOptions {
  readonly command: ChildCommand
  readonly timeoutMs: number
  /** True: end its input after each question, and start it anew for the next. False: it stays. Undefined: find out. */
  readonly oneShot: boolean | undefined
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

/**
 * What kind of program it is. Until that is known it is asked one thing at a time: one that says nothing for a while gets
 * its input ended, since it may read to the end first; one that answered may exit after its answer.
 */
type Nature = 'unknown' | 'stays' | 'exits'

// How long a program that answered its first question may take to show that it exits after an answer.
const graceMs = 250
// How long a program may be silent before its input is ended.
const silenceMs = 1000

class Program implements RpcProgram {
  readonly #options: RpcProgramOptions
  readonly #runs = new Set<RpcRun>()
  readonly #starts = new Set<Promise<RpcRun>>()
  readonly #held: PendingQuestion[] = []
  #kept: Promise<RpcRun> | undefined
  #nature: Nature
  #endGrace: (() => void) | undefined
  #probe: PendingQuestion | undefined
  /** It reads to the end of its input: known, or shown once. A slow program that stays shows the same once, never twice. */
  #readsToEnd: 'no' | 'maybe' | 'yes'
  #silenceMs: number
  #guard: SharedUse<Reaper> | undefined
  #waiting = 0
  #closed = false

  constructor(options: RpcProgramOptions) {
    this.#options = options
    this.#nature = options.oneShot === undefined ? 'unknown' : options.oneShot ? 'exits' : 'stays'
    this.#readsToEnd = options.oneShot ? 'yes' : 'no'
    this.#silenceMs = Math.min(silenceMs, options.timeoutMs / 4)
  }

  async ask(method: string, params: unknown): Promise<unknown> {
    const { command, timeoutMs, clock } = this.#options
    if (this.#closed) throw closed(command)
    if (this.#waiting >= maxWaiting) throw overloaded(command)
    // Made before anything starts: what JSON cannot hold must not cost a process.
    const id = randomUUID().replaceAll('-', '')
    const line = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    this.#waiting += 1
    try {
      return await new Promise((resolve, reject) => {
        const question = new PendingQuestion(id, line, resolve, reject)
        const endWait = clock.after(timeoutMs, () => this.#giveUp(question, expired(method, command, timeoutMs)))
        question.onSettled = () => {
          endWait()
          if (question === this.#probe) this.#endProbe()
        }
        this.#put(question)
      })
    } finally {
      this.#waiting -= 1
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#learn('stays')
    await Promise.allSettled(this.#starts)
    const runs = [...this.#runs]
    for (const run of runs) for (const question of run.takeAll()) question.reject(closed(this.#options.command))
    await Promise.all(runs.map((run) => run.close()))
    await this.#guard?.release()
  }

  #put(question: PendingQuestion): void {
    if (this.#closed) return question.reject(closed(this.#options.command))
    // A question for a program that is about to exit would be lost, and nobody could say whether it ran.
    if (this.#endGrace || this.#probe) return void this.#held.push(question)
    if (this.#nature === 'unknown') this.#probe = question
    const alone = this.#nature === 'exits'
    const run = alone ? this.#begin() : (this.#kept ??= this.#begin())
    run.then(
      (started) => {
        if (question.settled) return void (alone && started.close())
        if (started.put(question)) return this.#afterPut(started, question)
        this.#letGo(run)
        if (question === this.#probe) this.#probe = undefined
        this.#put(question)
      },
      (error) => {
        this.#letGo(run)
        question.reject(error)
      },
    )
  }

  #afterPut(run: RpcRun, question: PendingQuestion): void {
    if (this.#readsToEnd === 'yes') return void run.close()
    if (this.#nature !== 'unknown') return
    const { clock } = this.#options
    const asked = clock.now()
    const endSilence = clock.after(this.#silenceMs, () => run.lines === 0 && !question.settled && run.urge())
    const { onSettled } = question
    question.onSettled = () => {
      endSilence()
      if (run.urged && run.answers > 0) this.#suspectReader(clock.now() - asked)
      onSettled()
    }
  }

  /**
   * Asked again it gets twice the time it took. One that stays answers within that, while its input is open; one that
   * reads to the end is silent again, and then that is known.
   */
  #suspectReader(tookMs: number): void {
    if (this.#readsToEnd === 'no') {
      this.#readsToEnd = 'maybe'
      this.#silenceMs = 2 * tookMs
    } else this.#readsToEnd = 'yes'
  }

  /** The first answer decides how the others are asked. */
  #endProbe(): void {
    this.#probe = undefined
    if (this.#readsToEnd === 'yes') return this.#learn('exits')
    if (this.#endGrace === undefined) this.#release()
  }

  #release(): void {
    for (const question of this.#held.splice(0)) if (!question.settled) this.#put(question)
  }

  #letGo(run: Promise<RpcRun>): void {
    if (run === this.#kept) this.#kept = undefined
  }

  #begin(): Promise<RpcRun> {
    const started = this.#start().finally(() => this.#starts.delete(started))
    this.#starts.add(started)
    return started
  }

  async #start(): Promise<RpcRun> {
    const { command, clock, logger, timeoutMs } = this.#options
    this.#guard ??= reaper.hold()
    const child = await startChild({
      ...command,
      clock,
      logger: withoutCleanEnds(logger),
      reaper: this.#guard.value,
      hostEnv: process.env,
      // With its input ended it may still take as long as a call may.
      stopTimes: this.#readsToEnd === 'yes' ? { inputMs: timeoutMs } : undefined,
    })
    // It has no handshake: running is all it has to prove.
    child.started()
    const run = new RpcRun(child, logger, {
      onAnswer: (answering) => this.#answered(answering),
      onEnd: (ended, reason) => this.#ended(ended, reason),
    })
    this.#runs.add(run)
    if (!this.#closed) return run
    await run.close()
    throw closed(command)
  }

  #answered({ answers, urged }: RpcRun): void {
    // After its input ended it ends as well, whatever it is.
    if (this.#nature !== 'unknown' || this.#closed || urged) return
    if (answers > 1) this.#learn('stays')
    else this.#endGrace = this.#options.clock.after(graceMs, () => this.#learn('stays'))
  }

  #learn(nature: Nature): void {
    this.#endGrace?.()
    this.#endGrace = undefined
    this.#nature = nature
    this.#probe = undefined
    this.#release()
  }

  #ended(run: RpcRun, reason: Error | undefined): void {
    this.#runs.delete(run)
    // A start that failed is let go of where it was waited for.
    const kept = this.#kept
    const exitsByItself = this.#nature === 'unknown' && run.answers === 1 && !run.urged
    if (exitsByItself) this.#kept = undefined
    else kept?.then((each) => each === run && this.#letGo(kept)).catch(() => {})
    const left = run.takeAll()
    if (!isCleanEnd(reason)) for (const question of left) question.reject(reason)
    else if (left.length > 0) this.#afterCleanEnd(run, left)
    if (exitsByItself) this.#learn('exits')
  }

  /** It ended well without answering these. Silence is an empty answer (000-12), for the one it was asked first. */
  #afterCleanEnd(run: RpcRun, left: readonly PendingQuestion[]): void {
    const { command } = this.#options
    const [first, ...others] = left
    const takesOne = this.#nature === 'unknown' && run.answers <= 1
    // What else was sent sits in the pipe of a program that takes one question and exits: it has not run.
    const again = run.answers === 1 && takesOne ? left : takesOne && run.lines === 0 ? others : []
    if (run.lines === 0) this.#emptyAnswer(first!, run)
    for (const question of left)
      if (!again.includes(question) && !question.settled) question.reject(unanswered(command))
    if (again.length === 0) return
    this.#learn('exits')
    for (const question of again) this.#put(question)
  }

  #emptyAnswer(question: PendingQuestion, run: RpcRun): void {
    const stderr = run.stderrTail()
    const { command } = this.#options.command
    if (stderr) this.#options.logger.log('warn', `${command} answered nothing`, { stderr })
    question.resolve({})
  }

  #giveUp(question: PendingQuestion, error: GatewayError): void {
    if (question.settled) return
    question.reject(error)
    for (const run of this.#runs) if (run.forget(question) && (this.#nature === 'exits' || run.urged)) void run.close()
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
