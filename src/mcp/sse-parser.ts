import { GatewayError } from '../errors.js'
import { createByteStash } from './byte-stash.js'

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
export const createSseParser = (options: SseParserOptions): SseParser => {
  const maxEventBytes = options.maxEventBytes ?? 16 * 1024 * 1024
  const stash = createByteStash()
  let event = createEvent()
  let lastEventId: string | undefined
  let afterReturn = false
  let atStart = true

  const guard = (more: number): void => {
    if (stash.length + event.bytes + more <= maxEventBytes) return
    throw new GatewayError(
      'RESULT_TOO_LARGE',
      `The source sent an event of more than ${maxEventBytes} bytes; the stream was closed.`,
      { details: { maxBytes: maxEventBytes } },
    )
  }

  const readLine = (line: Buffer): void => {
    if (atStart) line = withoutMark(line)
    atStart = false
    if (line.length === 0) dispatch()
    else readField(line)
  }

  const readField = (line: Buffer): void => {
    guard(line.length + lineOverhead)
    const colon = line.indexOf(colonByte)
    if (colon === 0) return
    const name = line.toString('latin1', 0, colon < 0 ? line.length : colon)
    const value = colon < 0 ? line.subarray(line.length) : line.subarray(colon + (line[colon + 1] === space ? 2 : 1))
    if (name === 'data') event.add(value)
    else if (name === 'event') event.type = value.toString('utf8')
    else if (name === 'id' && !value.includes(0)) lastEventId = value.toString('utf8')
    else if (name === 'retry' && /^\d{1,9}$/.test(value.toString('latin1'))) options.onRetry?.(Number(value))
    event.bytes += line.length + lineOverhead
  }

  const dispatch = (): void => {
    const { type, data } = event
    event = createEvent()
    if (data.length === 0) return
    options.onEvent({ event: type || 'message', data: joinLines(data), id: lastEventId })
  }

  const endLine = (chunk: Buffer, start: number, end: number): void => {
    const part = chunk.subarray(start, end)
    if (stash.length > 0) {
      guard(part.length)
      stash.append(part)
    }
    readLine(stash.length > 0 ? stash.take() : part)
  }

  return {
    get lastEventId() {
      return lastEventId
    },
    push: (chunk) => {
      let start = afterReturn && chunk[0] === newline ? 1 : 0
      if (chunk.length > 0) afterReturn = false
      let lf = chunk.indexOf(newline, start)
      let cr = chunk.indexOf(carriageReturn, start)
      while (lf >= 0 || cr >= 0) {
        const end = lf < 0 || (cr >= 0 && cr < lf) ? cr : lf
        endLine(chunk, start, end)
        start = end + 1
        if (end === cr && start === chunk.length) afterReturn = true
        if (end === cr && chunk[start] === newline) start++
        // Each search starts behind the last hit of its kind, so a long chunk is searched once, not once per line.
        if (lf >= 0 && lf < start) lf = chunk.indexOf(newline, start)
        if (cr >= 0 && cr < start) cr = chunk.indexOf(carriageReturn, start)
      }
      if (start >= chunk.length) return
      guard(chunk.length - start)
      stash.append(chunk.subarray(start))
    },
  }
}

const newline = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const colonByte = 0x3a

// What an empty line costs us in objects; without it, an event of millions of bare `data` lines would pass the bound.
const lineOverhead = 64

const createEvent = () => {
  const data: Buffer[] = []
  return { type: '', data, bytes: 0, add: (value: Buffer) => void data.push(value) }
}

const joinLines = (lines: readonly Buffer[]): Buffer => {
  if (lines.length === 1) return lines[0]!
  const separator = Buffer.from('\n')
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [separator, line])))
}

const withoutMark = (line: Buffer): Buffer =>
  line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line
