import { GatewayError } from '../errors.js'

export interface LineSplitterOptions {
  /** A line without its end. Default: 16 MiB, as for any message of a source. */
  readonly maxLineBytes?: number | undefined
  /** One line as it came, without `\n` or `\r\n`; lines of nothing are left out. */
  readonly onLine: (line: Buffer) => void
  /** Once per line that was too long; the rest of it is thrown away, the next line is read again. */
  readonly onTooLong: () => void
}

export interface LineSplitter {
  push(chunk: Buffer): void
  /** The stream is over: what came after the last `\n` is a line too. */
  end(): void
}

/**
 * Lines out of chunks that may end anywhere, also inside a character: lines are cut by bytes, and `\n` is never part of
 * another UTF-8 character.
 */
export const createLineSplitter = (options: LineSplitterOptions): LineSplitter => {
  const maxLineBytes = options.maxLineBytes ?? 16 * 1024 * 1024
  const stash = new ByteStash()
  let skipping = false

  const add = (part: Buffer): void => {
    if (skipping) return
    // One more byte is let in, for a `\r` that the line's end will take away.
    if (stash.length + part.length <= maxLineBytes + 1) {
      stash.append(part)
      return
    }
    stash.take()
    skipping = true
    options.onTooLong()
  }

  const finish = (): void => {
    const skipped = skipping
    skipping = false
    const bytes = stash.take()
    if (!skipped) deliver(bytes)
  }

  const deliver = (bytes: Buffer): void => {
    const line = trimReturn(bytes)
    if (line.length === 0) return
    if (line.length > maxLineBytes) options.onTooLong()
    else options.onLine(line)
  }

  return {
    push: (chunk) => {
      let start = 0
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
        const part = chunk.subarray(start, end)
        start = end + 1
        // A line that lies whole in its chunk, as most do, is handed on where it lies.
        if (stash.length === 0 && !skipping) deliver(part)
        else {
          add(part)
          finish()
        }
      }
      if (start < chunk.length) add(chunk.subarray(start))
    },
    end: finish,
  }
}

const newline = 0x0a
const carriageReturn = 0x0d

const trimReturn = (line: Buffer): Buffer =>
  line.length > 0 && line[line.length - 1] === carriageReturn ? line.subarray(0, -1) : line

/** One server-sent event. `data` stays bytes, so that broken UTF-8 is refused by the message parser instead of replaced. */
export interface SseEvent {
  readonly event: string
  readonly data: Buffer
  /** The last id the stream has named so far, for `Last-Event-ID`. */
  readonly id: string | undefined
}

export interface SseParserOptions {
  /** Bytes of one event with its field names. Default: 16 MiB. */
  readonly maxEventBytes?: number | undefined
  readonly onEvent: (event: SseEvent) => void
  /** How long the server asks us to wait before reconnecting. */
  readonly onRetry?: ((delayMs: number) => void) | undefined
}

export interface SseParser {
  /** Throws RESULT_TOO_LARGE when an event outgrows its bound; the stream is then of no more use. */
  push(chunk: Buffer): void
  readonly lastEventId: string | undefined
}

/** Server-sent events out of chunks that may end anywhere; lines end with LF, CR or CRLF. */
export const createSseParser = (options: SseParserOptions): SseParser => new SseReader(options)

/** A class: many servers answer each call by a stream of its own. */
class SseReader implements SseParser {
  lastEventId: string | undefined = undefined
  readonly #options: SseParserOptions
  readonly #maxBytes: number
  /** A line whose end has not come. */
  #stash: ByteStash | undefined = undefined
  /** Of the event that is being read. */
  #type = ''
  #data: Buffer[] = []
  #bytes = 0
  #afterReturn = false
  #atStart = true

  constructor(options: SseParserOptions) {
    this.#options = options
    this.#maxBytes = options.maxEventBytes ?? 16 * 1024 * 1024
  }

  push(chunk: Buffer): void {
    let start = this.#afterReturn && chunk[0] === newline ? 1 : 0
    if (chunk.length > 0) this.#afterReturn = false
    let lf = chunk.indexOf(newline, start)
    let cr = chunk.indexOf(carriageReturn, start)
    while (lf >= 0 || cr >= 0) {
      const end = lf < 0 || (cr >= 0 && cr < lf) ? cr : lf
      this.#readLine(this.#lineOf(chunk, start, end))
      start = end + 1
      if (end === cr && start === chunk.length) this.#afterReturn = true
      if (end === cr && chunk[start] === newline) start++
      // Each search starts behind the last hit of its kind, so a long chunk is searched once, not once per line.
      if (lf >= 0 && lf < start) lf = chunk.indexOf(newline, start)
      if (cr >= 0 && cr < start) cr = chunk.indexOf(carriageReturn, start)
    }
    if (start >= chunk.length) return
    this.#guard(chunk.length - start)
    this.#stash ??= new ByteStash()
    this.#stash.append(chunk.subarray(start))
  }

  #lineOf(chunk: Buffer, start: number, end: number): Buffer {
    const part = chunk.subarray(start, end)
    if (!this.#stash || this.#stash.length === 0) return part
    this.#guard(part.length)
    this.#stash.append(part)
    return this.#stash.take()
  }

  #readLine(line: Buffer): void {
    const text = this.#atStart ? withoutMark(line) : line
    this.#atStart = false
    if (text.length === 0) this.#dispatch()
    else this.#readField(text)
  }

  #readField(line: Buffer): void {
    this.#guard(line.length + lineOverhead)
    const colon = line.indexOf(colonByte)
    if (colon === 0) return
    const name = line.toString('latin1', 0, colon < 0 ? line.length : colon)
    const value = colon < 0 ? line.subarray(line.length) : line.subarray(colon + (line[colon + 1] === space ? 2 : 1))
    if (name === 'data') this.#data.push(value)
    else if (name === 'event') this.#type = value.toString('utf8')
    else if (name === 'id' && !value.includes(0)) this.lastEventId = value.toString('utf8')
    else if (name === 'retry' && /^\d{1,9}$/.test(value.toString('latin1'))) this.#options.onRetry?.(Number(value))
    this.#bytes += line.length + lineOverhead
  }

  #dispatch(): void {
    const event = this.#type || 'message'
    const data = this.#data
    this.#type = ''
    this.#bytes = 0
    if (data.length === 0) return
    this.#data = []
    this.#options.onEvent({ event, data: joinLines(data), id: this.lastEventId })
  }

  #guard(more: number): void {
    if ((this.#stash?.length ?? 0) + this.#bytes + more <= this.#maxBytes) return
    throw new GatewayError(
      'RESULT_TOO_LARGE',
      `The source sent an event of more than ${this.#maxBytes} bytes; the stream was closed.`,
      { details: { maxBytes: this.#maxBytes } },
    )
  }
}

const space = 0x20
const colonByte = 0x3a

// What an empty line costs us in objects; without it, an event of millions of bare `data` lines would pass the bound.
const lineOverhead = 64

const joinLines = (lines: readonly Buffer[]): Buffer => {
  if (lines.length === 1) return lines[0]!
  const separator = Buffer.from('\n')
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [separator, line])))
}

const withoutMark = (line: Buffer): Buffer =>
  line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line

const nothing: Buffer = Buffer.alloc(0)
// A chunk costs an object whatever its size: smaller ones are put together, so that a stream of single bytes stays cheap.
const smallChunk = 4096
const blockBytes = 65_536

/** Bytes that wait for their end. Large chunks are kept as they came and copied once, when all is there. */
export class ByteStash {
  #parts: Buffer[] = []
  #length = 0
  /** Where small chunks go, and how much of it is taken. */
  #block = nothing
  #used = 0

  get length(): number {
    return this.#length
  }

  append(chunk: Buffer): void {
    // The first is usually the only one, and is never copied.
    if (this.#length > 0 && chunk.length < smallChunk) this.#gather(chunk)
    else this.#parts.push(chunk)
    this.#length += chunk.length
  }

  /** Everything so far, and the stash is empty again. */
  take(): Buffer {
    const taken = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts, this.#length)
    this.#parts = []
    this.#length = 0
    this.#block = nothing
    this.#used = 0
    return taken
  }

  #gather(chunk: Buffer): void {
    const last = this.#parts.length - 1
    const goesOn = this.#used > 0 && this.#parts[last]!.buffer === this.#block.buffer
    if (this.#block.length - this.#used < chunk.length) {
      // Each twice the one before: one small chunk is not worth a large block.
      const wanted = Math.max(1024, chunk.length, 2 * this.#block.length)
      this.#block = Buffer.allocUnsafeSlow(Math.min(blockBytes, wanted))
      this.#used = 0
    }
    const start = this.#used
    chunk.copy(this.#block, start)
    this.#used += chunk.length
    if (goesOn && start > 0) {
      const from = this.#parts[last]!.byteOffset
      this.#parts[last] = this.#block.subarray(from, this.#used)
    } else this.#parts.push(this.#block.subarray(start, this.#used))
  }
}
