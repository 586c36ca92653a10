import type { Readable, Writable } from 'node:stream'
import { GatewayError } from '../../errors.js'
import { createLineSplitter, type LineSplitter } from '../../mcp/framing.js'

export interface PipeSetup {
  /** How the program is called in messages. */
  readonly command: string
  /** Bytes that may wait for the child to read them. */
  readonly queueBytes: number
  readonly lineBytes: number
}

/** The two ends of a child that carry lines: what is sent to it and what it answers. How it lives is `Channel`'s. */
export abstract class Pipe {
  readonly #stdout: Readable
  readonly #input: Input
  readonly #lines: LineSplitter
  readonly #listeners = new Set<(line: Buffer) => void>()
  #overflown = false
  /** Sees each line before the listeners, for as long as it is there. */
  protected first: ((line: Buffer) => void) | undefined

  constructor(ends: { readonly stdin: Writable; readonly stdout: Readable }, setup: PipeSetup) {
    this.#stdout = ends.stdout
    this.#input = new Input(ends.stdin, setup.command, setup.queueBytes)
    this.#lines = createLineSplitter({
      maxLineBytes: setup.lineBytes,
      onLine: (line) => this.#deliver(line),
      onTooLong: () => {
        this.#overflown = true
        this.tooLong()
      },
    })
    this.#stdout.on('data', (chunk: Buffer) => this.#lines.push(chunk))
    this.#stdout.pause()
  }

  get queuedBytes(): number {
    return this.#input.queuedBytes
  }

  send(line: string): void {
    this.#input.send(line)
  }

  onLine(listener: (line: Buffer) => void): () => void {
    if (this.#listeners.size === 0) this.#stdout.resume()
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  resume(): void {
    this.#stdout.resume()
  }

  endInput(): void {
    this.#input.end()
  }

  protected abstract tooLong(): void
  /** Takes what a listener threw: in the stream it would take the whole process down. */
  protected abstract failed(error: unknown): void

  protected stopReading(): void {
    this.#stdout.pause()
  }

  /** Delivers what is left without an end, and nothing after it. */
  protected endOutput(): void {
    this.#lines.end()
  }

  protected forgetListeners(): void {
    this.#listeners.clear()
  }

  #deliver(line: Buffer): void {
    this.first?.(line)
    // Behind a line that was too long nothing is sure any more.
    if (this.#overflown) return
    for (const listener of this.#listeners) {
      try {
        listener(line)
      } catch (error) {
        this.failed(error)
      }
    }
  }
}

/**
 * A bounded queue in front of a child's stdin (F12). A child that never reads costs at most `maxQueueBytes`, and a line
 * for a child that is gone is refused instead of waiting forever.
 *
 * Lines of one turn of the event loop leave as one text in one system call: under load a turn brings many callers, each
 * in a callback of its own, and a write for each cost a tenth of a call. Alone, a line waits for the end of its turn.
 */
export class Input {
  readonly #stdin: Writable
  readonly #command: string
  readonly #maxQueueBytes: number
  #queuedBytes = 0
  #open = true
  #waiting = ''
  #waitingBytes = 0

  constructor(stdin: Writable, command: string, maxQueueBytes: number) {
    this.#stdin = stdin
    this.#command = command
    this.#maxQueueBytes = maxQueueBytes
  }

  /** Bytes that the child has not taken yet. */
  get queuedBytes(): number {
    return this.#queuedBytes
  }

  /** Queues one line, or throws at once; it never waits for the child to read. */
  send(line: string): void {
    if (!this.#open || this.#stdin.destroyed) throw gone(this.#command)
    const bytes = Buffer.byteLength(line) + 1
    if (this.#queuedBytes + bytes > this.#maxQueueBytes)
      throw full(this.#command, this.#queuedBytes, this.#maxQueueBytes)
    checkFraming(line, this.#command)
    this.#queuedBytes += bytes
    if (this.#waitingBytes === 0) setImmediate(() => this.#flush())
    this.#waiting += `${line}\n`
    this.#waitingBytes += bytes
  }

  /** Refuses further lines and tells the child that no more will come. */
  end(): void {
    if (!this.#open) return
    this.#open = false
    this.#flush()
    if (!this.#stdin.destroyed) this.#stdin.end()
  }

  #flush(): void {
    if (this.#waitingBytes === 0) return
    const [text, bytes] = [this.#waiting, this.#waitingBytes]
    this.#waiting = ''
    this.#waitingBytes = 0
    if (!this.#stdin.destroyed)
      this.#stdin.write(text, () => {
        this.#queuedBytes -= bytes
      })
  }
}

/** A newline inside a line would end the message early and start another that the caller may have chosen. */
const checkFraming = (line: string, command: string): void => {
  if (line.includes('\n'))
    throw new GatewayError('INTERNAL', `A message for ${command} holds a newline: send it as one line.`)
}

const gone = (command: string) =>
  new GatewayError(
    'SOURCE_UNAVAILABLE',
    `${command} has ended, so nothing can be sent to it. Try again once it is back.`,
    {
      notSent: true,
      details: { command },
    },
  )

const full = (command: string, queuedBytes: number, maxQueueBytes: number) =>
  new GatewayError(
    'OVERLOADED',
    `${command} does not read its input: ${queuedBytes} bytes wait, and the limit is ${maxQueueBytes}. Try again later, ` +
      'or restart the source.',
    { notSent: true, details: { command, queuedBytes, maxQueueBytes } },
  )
