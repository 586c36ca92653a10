import type { Readable } from 'node:stream'
import type { Clock } from '../../model/clock.js'
import type { Logger } from '../../telemetry/logger.js'
import { plainText } from './plain-text.js'
import type { Redactor } from './redact.js'
import { createRing } from './ring.js'

export interface StderrOptions {
  readonly clock: Clock
  readonly logger: Logger
  readonly redactor: Redactor
  readonly ringBytes: number
  readonly linesPerSecond: number
  readonly pid: number
}

export interface StderrLog {
  /** The last words, cleaned and without secrets; at most `maxBytes` of UTF-8. */
  tail(maxBytes: number): string
  /** Reports what was held back and stops the timer. */
  end(): void
}

const loggedChars = 2000

/**
 * Reads a child's stderr for as long as it lives (F16): a pipe nobody reads stops the child once 64 KB are in it. The
 * newest bytes are kept for error messages, and lines go to the log at a rate that a flood cannot exceed.
 */
export const readStderr = (stream: Readable, options: StderrOptions): StderrLog => {
  const ring = createRing(options.ringBytes)
  const budget = createBudget(options)
  const rawBytes = (loggedChars + options.redactor.longest) * 4
  const lines = createCuttingSplitter(rawBytes, (line) => {
    if (budget.take()) options.logger.log('info', readable(line, options.redactor), meta(options))
  })
  stream.on('data', (chunk: Buffer) => {
    ring.push(chunk)
    lines.push(chunk)
  })
  // Nothing to add: whatever broke the pipe ends the child too, and that is reported.
  stream.on('error', () => {})
  return {
    tail: (maxBytes) => lastBytes(options.redactor.redact(plainText(ring.read().toString('utf8'))).trim(), maxBytes),
    end: () => {
      lines.end()
      budget.end()
    },
  }
}

const meta = (options: StderrOptions) => ({ stream: 'stderr', pid: options.pid })

const readable = (line: Buffer, redactor: Redactor): string => {
  const text = redactor.redact(plainText(line.toString('utf8')))
  return text.length > loggedChars ? `${text.slice(0, loggedChars)}…` : text
}

/** Unlike a line of stdout, an endless line here is no fault: its beginning is logged and the rest dropped. */
const createCuttingSplitter = (maxBytes: number, onLine: (line: Buffer) => void) => {
  let held: Buffer = Buffer.alloc(0)
  const hold = (bytes: Buffer) => {
    const room = maxBytes - held.length
    if (room > 0 && bytes.length > 0) held = Buffer.concat([held, bytes.subarray(0, room)])
  }
  const deliver = () => {
    const line = held
    held = Buffer.alloc(0)
    if (line.length > 0) onLine(line)
  }
  return {
    push: (chunk: Buffer) => {
      let start = 0
      for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
        hold(chunk.subarray(start, end))
        deliver()
        start = end + 1
      }
      hold(chunk.subarray(start))
    },
    end: deliver,
  }
}

const createBudget = ({ clock, logger, linesPerSecond, pid }: StderrOptions) => {
  let left = linesPerSecond
  let suppressed = 0
  let cancel: (() => void) | undefined
  const report = () => {
    cancel = undefined
    left = linesPerSecond
    if (suppressed > 0) logger.log('warn', `${suppressed} lines suppressed`, { stream: 'stderr', pid })
    suppressed = 0
  }
  return {
    take: (): boolean => {
      cancel ??= clock.after(1000, report)
      if (left === 0) suppressed += 1
      else left -= 1
      return suppressed === 0
    },
    end: () => {
      cancel?.()
      report()
    },
  }
}

const lastBytes = (text: string, maxBytes: number): string => {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  let start = bytes.length - maxBytes
  // Continuation bytes look like 10xxxxxx: step over them, so that the tail begins with a whole character.
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1
  return bytes.subarray(start).toString('utf8')
}
