import type { Readable } from 'node:stream'
import type { Clock } from '../../model/clock.js'
import type { Logger } from '../../telemetry/logger.js'
import { plainText } from '../../telemetry/plain-text.js'
import type { ChildRedactor } from './redact.js'
import { createRing } from './ring.js'

export interface StderrOptions {
  readonly clock: Clock
  readonly logger: Logger
  readonly redactor: ChildRedactor
  readonly ringBytes: number
  readonly linesPerSecond: number
  readonly pid: number
}

export interface StderrLog {
  /** The last words, cleaned and without secrets; at most `maxBytes` of UTF-8. */
  tail(maxBytes: number): string
  /** The child serves: what it said until then is logged, and what it says from now on. */
  started(): void
  /** Reports what was held back and stops the timer. */
  end(): void
}

// What a start may say before it is told: a traceback is longer, and its end is in the error.
const heldLines = 100

const loggedChars = 2000

/**
 * Reads a child's stderr for as long as it lives (F16): a pipe nobody reads stops the child once 64 KB are in it. The
 * newest bytes are kept for error messages, and lines go to the log at a rate that a flood cannot exceed.
 */
export const readStderr = (stream: Readable, options: StderrOptions): StderrLog => {
  const ring = createRing(options.ringBytes)
  const budget = createBudget(options)
  const rawBytes = (loggedChars + options.redactor.longest) * 4
  const write = (level: 'info' | 'debug', line: string): void =>
    options.logger.log(level, line, { stream: 'stderr', pid: options.pid })
  // Held until it is known whether the start fails: then the error has its last words, and the rest is for who debugs.
  let held: string[] | undefined = []
  const letGo = (level: 'info' | 'debug'): void => {
    for (const line of held ?? []) write(level, line)
    held = undefined
  }
  const lines = createCuttingSplitter(rawBytes, budget, (line) => {
    const text = readable(line, options.redactor)
    if (held === undefined) write('info', text)
    else if (held.length < heldLines) held.push(text)
    else write('debug', text)
  })
  stream.on('data', (chunk: Buffer) => {
    ring.push(chunk)
    lines.push(chunk)
  })
  // Nothing to add: whatever broke the pipe ends the child too, and that is reported.
  stream.on('error', () => {})
  return {
    tail: (maxBytes) => lastBytes(options.redactor.redact(plainText(ring.read().toString('utf8'))).trim(), maxBytes),
    started: () => letGo('info'),
    end: () => {
      lines.end()
      letGo('debug')
      budget.end()
    },
  }
}

const readable = (line: Buffer, redactor: ChildRedactor): string => {
  const text = redactor.redact(plainText(line.toString('utf8')))
  return text.length > loggedChars ? `${text.slice(0, loggedChars)}…` : text
}

/**
 * Unlike a line of stdout, an endless line here is no fault: its beginning is logged and the rest dropped. Once the
 * second's budget is spent lines are only counted, so that a flood costs us little more than reading it.
 */
const createCuttingSplitter = (maxBytes: number, budget: Budget, onLine: (line: Buffer) => void) => {
  let held: Buffer = Buffer.alloc(0)
  // The beginning of the current line was dropped. Its rest is not shown either: it may start inside a secret.
  let torn = false

  const hold = (bytes: Buffer) => {
    const room = maxBytes - held.length
    if (room > 0 && bytes.length > 0) held = Buffer.concat([held, bytes.subarray(0, room)])
  }
  const deliver = () => {
    const line = held
    held = Buffer.alloc(0)
    if (torn) budget.suppress(1)
    else if (line.length > 0) {
      if (budget.take()) onLine(line)
      else budget.suppress(1)
    }
    torn = false
  }
  const skip = (bytes: Buffer) => {
    budget.suppress(countLines(bytes))
    held = Buffer.alloc(0)
    torn = bytes[bytes.length - 1] !== newline
  }
  return {
    push: (chunk: Buffer) => {
      let start = 0
      while (start < chunk.length) {
        if (budget.isSpent()) return skip(chunk.subarray(start))
        const end = chunk.indexOf(newline, start)
        hold(chunk.subarray(start, end === -1 ? chunk.length : end))
        if (end === -1) return
        deliver()
        start = end + 1
      }
    },
    end: deliver,
  }
}

const newline = 0x0a

/**
 * Counts in a decoded copy, not in place: the copies fill V8's young heap and so make it collect the chunks every few
 * megabytes. Chunks alone lie outside that heap and pile up to 32 MB before anyone looks (measured, F16).
 */
const countLines = (bytes: Buffer): number => {
  const text = bytes.toString('latin1')
  let count = 0
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) === newline) count += 1
  return count
}

interface Budget {
  take(): boolean
  isSpent(): boolean
  suppress(lines: number): void
  end(): void
}

const createBudget = ({ clock, logger, linesPerSecond, pid }: StderrOptions): Budget => {
  let left = linesPerSecond
  let suppressed = 0
  let cancel: (() => void) | undefined
  const report = () => {
    cancel = undefined
    left = linesPerSecond
    if (suppressed > 0) logger.log('warn', `${suppressed} lines suppressed`, { stream: 'stderr', pid })
    suppressed = 0
  }
  const openWindow = () => {
    cancel ??= clock.after(1000, report)
  }
  return {
    take: () => {
      openWindow()
      if (left === 0) return false
      left -= 1
      return true
    },
    isSpent: () => left === 0,
    suppress: (lines) => {
      openWindow()
      suppressed += lines
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
