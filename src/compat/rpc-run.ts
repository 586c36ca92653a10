import { isGatewayError } from '../errors.js'
import type { Child } from '../sources/stdio/channel.js'
import type { Logger } from '../telemetry/logger.js'
import { readRpcAnswer } from './rpc-answer.js'
import { RuntimeError } from './runtime-error.js'

/** What was asked, until it is answered, refused or given up: whichever comes first. */
export class PendingQuestion {
  readonly id: string
  readonly line: string
  readonly #resolve: (value: unknown) => void
  readonly #reject: (error: unknown) => void
  settled = false
  onSettled = (): void => {}

  constructor(id: string, line: string, resolve: (value: unknown) => void, reject: (error: unknown) => void) {
    this.id = id
    this.line = line
    this.#resolve = resolve
    this.#reject = reject
  }

  resolve(value: unknown): void {
    this.#settle()
    this.#resolve(value)
  }

  reject(error: unknown): void {
    this.#settle()
    this.#reject(error)
  }

  #settle(): void {
    this.settled = true
    this.onSettled()
  }
}

export interface RpcRunEvents {
  /** Before the answer is handed on. */
  onAnswer(run: RpcRun): void
  onEnd(run: RpcRun, reason: Error | undefined): void
}

/** One run of a program: what was asked of it, and what it answered. */
export class RpcRun {
  readonly #child: Child
  readonly #logger: Logger
  readonly #questions = new Map<string, PendingQuestion>()
  #ended = false
  /** Its input was ended because it said nothing: it may be one that reads to the end first. */
  urged = false
  /** Lines it wrote, whatever they were. */
  lines = 0
  /** How many of them were answers. */
  answers = 0

  readonly #events: RpcRunEvents

  constructor(child: Child, logger: Logger, events: RpcRunEvents) {
    this.#child = child
    this.#logger = logger
    this.#events = events
    child.onLine((line) => this.#read(line))
    child.onClose((reason) => {
      this.#ended = true
      events.onEnd(this, reason)
    })
  }

  /** False when it has ended or is about to, so that nothing was asked. */
  put(question: PendingQuestion): boolean {
    if (this.#ended) return false
    try {
      this.#child.send(question.line)
      this.#questions.set(question.id, question)
      return true
    } catch (error) {
      if (isGatewayError(error) && error.code === 'SOURCE_UNAVAILABLE') return false
      question.reject(error)
      return true
    }
  }

  stderrTail(): string {
    return this.#child.stderrTail()
  }

  /** True if it was asked this. */
  forget({ id }: PendingQuestion): boolean {
    return this.#questions.delete(id)
  }

  takeAll(): PendingQuestion[] {
    const all = [...this.#questions.values()]
    this.#questions.clear()
    return all
  }

  urge(): void {
    this.urged = true
    this.#child.endInput()
  }

  async close(): Promise<void> {
    await this.#child.close()
  }

  #read(line: Buffer): void {
    if (line.length === 0) return
    this.lines += 1
    const answer = readRpcAnswer(line)
    const question = answer && this.#questionOf(answer.id)
    if (!answer || !question) {
      this.#logger.log('debug', 'A line that answers nothing was skipped', { bytes: line.length })
      return
    }
    this.answers += 1
    this.#questions.delete(question.id)
    this.#events.onAnswer(this)
    if (answer.error === null) question.resolve(answer.result)
    else question.reject(new RuntimeError(answer.error))
  }

  /** An answer without an id can only be meant for a question that is alone. */
  #questionOf(id: string | undefined): PendingQuestion | undefined {
    if (id !== undefined) return this.#questions.get(id)
    return this.#questions.size === 1 ? [...this.#questions.values()][0] : undefined
  }
}
