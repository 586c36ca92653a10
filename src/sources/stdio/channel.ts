import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { type GatewayError, messageOf } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import type { Logger } from '../../telemetry/logger.js'
import type { ChildCommand } from './command.js'
import { drainOutput } from './drain.js'
import { describeExit, lossOf, startFailure, strayTextOf } from './failure.js'
import type { ProcessGroup } from './group.js'
import { fetcherOf } from './launcher.js'
import type { Breach, Leash } from './leash/leash.js'
import type { ChildLimits } from './limits.js'
import { Pipe } from './pipe.js'
import { type ChildRedactor, createRedactor } from './redact.js'
import { defaultDownloadTimeoutMs, StartLimit } from './start-limit.js'
import { readStderr, type StderrLog } from './stderr.js'
import { type StopOptions, type StopTimes, stopGroup } from './stop.js'

/** A running child: lines in, lines out. */
export interface Child {
  readonly pid: number
  /** Bytes sent that the child has not read yet. */
  readonly queuedBytes: number
  /** Queues one line, without its newline. Never waits: throws OVERLOADED when too much waits, SOURCE_UNAVAILABLE after the end. */
  send(line: string): void
  /** Each line of stdout, as bytes without the newline. Nothing is read before the first listener is there. */
  onLine(listener: (line: Buffer) => void): () => void
  /** The end, once: undefined when we closed it, otherwise why it ended. Told at once when it already has. */
  onClose(listener: (reason: Error | undefined) => void): () => void
  /** Stops reading stdout, so that the child waits. Lines that are already here (at most one chunk) still come. */
  pause(): void
  resume(): void
  /** The child proved that it serves: the start timeout is over, and its end is from now on a loss, not a failed start. */
  started(): void
  /** Its last words on stderr, without control characters and declared secrets. */
  stderrTail(): string
  /** Tells it that no more will come, and leaves it to answer and end by itself. */
  endInput(): void
  /** Ends the child and its whole process group; resolves when they are gone. Idempotent. */
  close(): Promise<void>
}

export interface ChannelSetup {
  readonly command: ChildCommand
  readonly group: ProcessGroup
  readonly clock: Clock
  readonly logger: Logger
  readonly limits: ChildLimits
  readonly stopTimes: StopTimes
  readonly startTimeoutMs: number
  /** A launcher's download has become worth telling of, or is over. */
  readonly onDownload?: ((isDownloading: boolean) => void) | undefined
  /** What guards it, where anything does. */
  readonly leash?: Leash | undefined
  /** Called when no member of the group is left. */
  readonly onGone: () => void
}

/** Wraps a process that was started in this same tick of the event loop: none of its events can have been missed. */
export const createChannel = (child: ChildProcessWithoutNullStreams, setup: ChannelSetup): Child =>
  new Channel(child, setup)

/** A dying child's pipes often break before its end is known; its exit code then explains more than the broken pipe. */
const exitNoticeMs = 50

class Channel extends Pipe implements Child {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #setup: ChannelSetup
  readonly #stderr: StderrLog
  readonly #redactor: ChildRedactor
  readonly #exit: Promise<void>
  readonly #startLimit: StartLimit
  readonly #closeListeners = new Set<(reason: Error | undefined) => void>()
  #serving = false
  /** The first thing it wrote on stdout that is no message. */
  #strayText: string | undefined
  #cancelSuspicion = () => {}
  /** The limit that it was ended for. */
  #limit: string | undefined
  #closed: { readonly reason: GatewayError | undefined } | undefined
  #ending: Promise<void> | undefined

  constructor(child: ChildProcessWithoutNullStreams, setup: ChannelSetup) {
    const { command, clock, logger, limits } = setup
    super(child, { command: command.command, queueBytes: limits.queueBytes, lineBytes: limits.lineBytes })
    this.#child = child
    this.#setup = setup
    this.#redactor = createRedactor(command)
    this.#stderr = readStderr(child.stderr, {
      clock,
      logger,
      redactor: this.#redactor,
      ringBytes: limits.stderrBytes,
      linesPerSecond: limits.stderrLinesPerSecond,
      pid: this.pid,
    })
    this.first = (line) => {
      this.#startLimit.wrote()
      this.#strayText ??= strayTextOf(line)
    }
    this.#exit = new Promise((resolve) => child.once('exit', () => resolve()))
    this.#startLimit = new StartLimit({
      clock,
      pid: this.pid,
      fetcher: fetcherOf(command),
      startTimeoutMs: setup.startTimeoutMs,
      downloadTimeoutMs: command.downloadTimeoutMs ?? defaultDownloadTimeoutMs,
      onLate: (fault) => this.#fail(fault),
      onDownload: setup.onDownload,
    })
    this.#listen()
    setup.leash?.tie(setup.group, (breach) => this.#breached(breach))
  }

  get pid(): number {
    return this.#setup.group.id
  }

  onClose(listener: (reason: Error | undefined) => void): () => void {
    const closed = this.#closed
    if (closed) queueMicrotask(() => this.#tell(listener, closed.reason))
    else this.#closeListeners.add(listener)
    return () => void this.#closeListeners.delete(listener)
  }

  pause(): void {
    if (!this.#ending) this.stopReading()
  }

  started(): void {
    this.#serving = true
    this.first = undefined
    this.#startLimit.end()
    this.#stderr.started()
  }

  stderrTail(): string {
    return this.#stderr.tail(this.#setup.limits.stderrTailBytes)
  }

  close(): Promise<void> {
    this.#ending ??= this.#closeByUs()
    return this.#ending
  }

  #listen(): void {
    const { stdin, stdout } = this.#child
    this.#child.once('exit', () => this.#noticeExit())
    this.#child.on('error', (error) => this.#log('warn', 'A signal could not be sent', { error: error.message }))
    stdin.on('error', () => this.#suspect('closed its input, so it can no longer be asked anything.'))
    stdout.on('error', () => this.#suspect('broke its output.'))
    stdout.on('end', () => this.#suspect('closed its output, so it can no longer answer.'))
  }

  protected override tooLong(): void {
    this.#fail(`wrote a line longer than ${this.#setup.limits.lineBytes} bytes. Its answers must be smaller.`)
  }

  #suspect(fault: string): void {
    if (this.#ending) return
    this.#cancelSuspicion()
    this.#cancelSuspicion = this.#setup.clock.after(exitNoticeMs, () => this.#fail(fault))
  }

  /** The child lives, but is of no use any more. */
  #fail(fault: string, from: StopOptions['from'] = 'term'): void {
    if (this.#ending) return
    this.#ending = this.#closeForFault(fault, from)
    // Logged where it arises; it has nobody else to go to unless someone calls `close`.
    this.#ending.catch(() => {})
  }

  /** Ended by us already, for using more than it may. */
  #breached({ limit, fault }: Breach): void {
    this.#limit = limit
    this.#fail(fault, 'kill')
  }

  #noticeExit(): void {
    if (this.#ending) return
    this.#ending = this.#closeAfterExit()
    this.#ending.catch(() => {})
  }

  async #closeByUs(): Promise<void> {
    this.#startLimit.end()
    this.endInput()
    await this.#stop('input').finally(() => this.#letGo(undefined))
  }

  async #closeForFault(fault: string, from: StopOptions['from']): Promise<void> {
    this.#announce(this.#loss(fault))
    await this.#stop(from).finally(() => this.#letGo(undefined))
  }

  async #closeAfterExit(): Promise<void> {
    this.#startLimit.end()
    this.endInput()
    // Its helpers go at once: without it they are orphans that hold its ports and files.
    const stopped = this.#stop('kill')
    stopped.catch(() => {})
    const { exitCode, signalCode } = this.#child
    const breach = this.#setup.leash?.explain(exitCode, signalCode)
    this.#limit = breach?.limit
    await this.#letGo(breach?.fault ?? describeExit(exitCode, signalCode))
    await stopped
  }

  async #stop(from: StopOptions['from']): Promise<void> {
    const { command, group, clock, stopTimes, leash, onGone } = this.#setup
    try {
      await stopGroup({ command: command.command, group, exited: this.#exit, clock, times: stopTimes, from })
      onGone()
      await leash?.release()
    } catch (error) {
      this.#log('error', messageOf(error))
      throw error
    }
  }

  /** Delivers the last lines, lets go of the pipes and tells that it is over. */
  async #letGo(fault: string | undefined): Promise<void> {
    await drainOutput(this.#child, this.#setup.clock)
    this.endOutput()
    this.#stderr.end()
    this.#announce(fault === undefined ? undefined : this.#loss(fault))
    this.forgetListeners()
  }

  #announce(reason: GatewayError | undefined): void {
    if (this.#closed) return
    this.#closed = { reason }
    this.#startLimit.end()
    this.#cancelSuspicion()
    this.endInput()
    if (reason) this.#logLoss(reason)
    for (const listener of this.#closeListeners) this.#tell(listener, reason)
    this.#closeListeners.clear()
  }

  #loss(what: string): GatewayError {
    const { exitCode, signalCode: signal } = this.#child
    const stdout = this.#strayText && this.#redactor.redact(this.#strayText)
    const stderr = this.stderrTail()
    const facts = { command: this.#setup.command.command, exitCode, signal, stderr, stdout, limit: this.#limit }
    if (this.#serving) return lossOf(what, facts)
    return startFailure(`${what}${this.#limit === undefined ? (this.#setup.leash?.hint(stderr) ?? '') : ''}`, facts)
  }

  // The message and `exitCode` are document 001's (001-17).
  #logLoss(reason: GatewayError): void {
    const { exitCode, signalCode: signal } = this.#child
    const lastWords = this.#serving ? { stderr: this.stderrTail() } : {}
    // A start that fails is told by whoever asked for it.
    this.#log(this.#serving ? 'error' : 'debug', 'Process crashed', {
      exitCode,
      signal,
      reason: reason.message,
      ...lastWords,
    })
  }

  #log(level: 'debug' | 'warn' | 'error', message: string, meta?: Readonly<Record<string, unknown>>): void {
    this.#setup.logger.log(level, message, { command: this.#setup.command.command, pid: this.pid, ...meta })
  }

  protected override failed(error: unknown): void {
    this.#log('error', 'A listener of a child process failed', { error: messageOf(error) })
  }

  #tell<T>(listener: (value: T) => void, value: T): void {
    try {
      listener(value)
    } catch (error) {
      this.failed(error)
    }
  }
}
