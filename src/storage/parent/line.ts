import { GatewayError, isGatewayError, messageOf } from '../../errors.js'
import type { JsonObject } from '../../model/json.js'
import type { StoredTool } from '../store.js'

/** What travels between a process and the one that keeps its data. All of it is plain JSON. */
export type LineMessage =
  | { readonly ask: number; readonly what: string; readonly with: readonly unknown[] }
  | { readonly answer: number; readonly value?: unknown; readonly error?: ToldProblem | undefined }
  /** Somebody else wrote tools. */
  | { readonly told: 'tools'; readonly changed: readonly StoredTool[]; readonly gone: readonly string[] }
  /** Rows of this kind were written. */
  | { readonly told: 'kind'; readonly kind: string }

export interface ToldProblem {
  readonly code: string
  readonly message: string
  readonly details?: JsonObject | undefined
}

/** Carries messages both ways, in order, until it ends. */
export interface KeeperLine {
  send(message: LineMessage): void
  onMessage(listener: (message: LineMessage) => void): void
  onEnd(listener: () => void): void
}

/** Every question takes and gives plain JSON. */
export type Questioned<Answers> = { readonly [What in keyof Answers]: (...asked: any[]) => Promise<unknown> }

/** Asks the other end, each question by its number. */
export class Asker<Answers extends Questioned<Answers>> {
  readonly #line: KeeperLine
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(problem: unknown): void }>()
  #last = 0
  #isOver = false

  constructor(line: KeeperLine) {
    this.#line = line
    line.onMessage((message) => 'answer' in message && this.#settle(message))
    line.onEnd(() => this.#end())
  }

  async ask<What extends keyof Answers & string>(
    what: What,
    ...asked: Parameters<Answers[What]>
  ): Promise<Awaited<ReturnType<Answers[What]>>> {
    if (this.#isOver) throw lineEnded()
    if (this.#waiting.size >= mostAtOnce) throw tooMany()
    const ask = ++this.#last
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(ask, { resolve, reject }))
    try {
      this.#line.send({ ask, what, with: asked })
    } catch (error) {
      this.#waiting.delete(ask)
      throw error
    }
    return (await answer) as Awaited<ReturnType<Answers[What]>>
  }

  #settle({ answer, value, error }: Extract<LineMessage, { readonly answer: number }>): void {
    const asked = this.#waiting.get(answer)
    this.#waiting.delete(answer)
    if (error) asked?.reject(problemOf(error))
    else asked?.resolve(value)
  }

  #end(): void {
    this.#isOver = true
    for (const { reject } of this.#waiting.values()) reject(lineEnded())
    this.#waiting.clear()
  }
}

/** Answers what is asked over a line from this table, and nothing else. */
export const answerOver = <Answers extends Questioned<Answers>>(line: KeeperLine, answers: Answers): void => {
  const answerTo = async (what: string, asked: readonly unknown[]): Promise<unknown> => {
    if (!Object.hasOwn(answers, what)) throw new Error(`There is no question '${what}'.`)
    return answers[what as keyof Answers](...asked)
  }
  line.onMessage((message) => {
    if (!('ask' in message)) return
    const { ask: answer, what } = message
    answerTo(what, message.with).then(
      (value) => line.send({ answer, value }),
      (error: unknown) => line.send({ answer, error: toldProblem(error) }),
    )
  })
}

/** Both ends of a line within one process. */
export const lineWithin = (): readonly [KeeperLine, KeeperLine] => {
  const listeners: [((message: LineMessage) => void)[], ((message: LineMessage) => void)[]] = [[], []]
  const end = (own: 0 | 1): KeeperLine => ({
    send: (message) => queueMicrotask(() => listeners[own === 0 ? 1 : 0].forEach((listener) => void listener(message))),
    onMessage: (listener) => void listeners[own].push(listener),
    onEnd: () => {},
  })
  return [end(0), end(1)]
}

// A process that asks for so much at once waits for something that does not come.
const mostAtOnce = 10_000

const toldProblem = (error: unknown): ToldProblem =>
  isGatewayError(error)
    ? { code: error.code, message: error.message, details: error.details as JsonObject | undefined }
    : { code: 'INTERNAL', message: messageOf(error) }

const problemOf = ({ code, message, details }: ToldProblem): GatewayError =>
  new GatewayError(code as GatewayError['code'], message, { details })

const lineEnded = (): GatewayError =>
  new GatewayError('STORE_UNREADABLE', 'The process that keeps the data has ended. Start Pegboard again.')

const tooMany = (): GatewayError =>
  new GatewayError('OVERLOADED', `More than ${mostAtOnce} questions to the store are open. Try again in a moment.`)
