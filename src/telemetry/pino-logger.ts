import { createRequire } from 'node:module'
import type { pino } from 'pino'
import { type Clock, systemClock } from '../model/clock.js'
import type { Logger, LogLevel } from './logger.js'
import { oneLine, plainText } from './plain-text.js'
import { createRedactor, type Redactor } from './redact.js'
import { redactValue } from './redact-value.js'
import { createFileSink, createStderrSink, createWriterSink, type Sink } from './sinks.js'

export interface PinoLoggerOptions {
  /** A function is asked for each record, so that the level can be changed while the logger is in use. */
  readonly level: LogLevel | (() => LogLevel)
  /** `json` is one object per line; `line` is for people, as document 001 shows it (001-16). */
  readonly format: 'json' | 'line'
  /** Appended to as well, in the same format. */
  readonly file?: string | undefined
  /** In the place of standard error. */
  readonly destination?: { write(text: string): unknown } | undefined
  /** Values that must never appear. */
  readonly secrets?: readonly string[] | undefined
  /** One that others share, so that secrets learnt later are hidden here too. Default: one of its own. */
  readonly redactor?: Redactor | undefined
  readonly clock?: Clock | undefined
}

// A record past this is cut: one line must not fill a disk.
const maxTextLength = 16 * 1024
const maxMetaLength = 64 * 1024
const ranks: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 }

/** The logger of a running gateway: to standard error and perhaps a file, one line per record, without secrets. */
export const createPinoLogger = (options: PinoLoggerOptions): Logger => {
  const { level, format, file, destination, clock = systemClock } = options
  const redactor = options.redactor ?? createRedactor()
  for (const secret of options.secrets ?? []) redactor.add(secret)
  const main = destination ? createWriterSink(destination) : createStderrSink()
  const toLine = format === 'line' ? formatLine : createJsonFormat()
  const fanOut = createFanOut({
    sinks: file === undefined ? [main] : [main, createFileSink(file)],
    clock,
    warning: (sink, reason, lost) => {
      const message = `Log sink failed: ${sink}, records are being lost there`
      return toLine({ level: 'warn', at: clock.wall(), service: 'logger', message, meta: { reason, lost } })
    },
  })
  const lowest = typeof level === 'function' ? () => ranks[level()] : () => ranks[level]

  const create = (service: string | undefined): Logger => ({
    log: (recordLevel, message, meta) => {
      if (ranks[recordLevel] < lowest()) return
      fanOut(toLine(clean(redactor, { level: recordLevel, at: clock.wall(), service, message, meta })))
    },
    child: (name) => create(name),
  })
  return create(undefined)
}

/** The one place where records are redacted and cut: every sink is behind it. */
const clean = (redactor: Redactor, record: LogRecord): LogRecord => {
  const text = (source: string) => cleanText(redactor, source)
  const meta = record.meta && (redactValue(record.meta, text) as Record<string, unknown>)
  const service = record.service && text(oneLine(record.service))
  return { ...record, service, message: text(oneLine(String(record.message))), meta: meta && boundMeta(meta) }
}

/** Controls go first, since they could split a secret; the cut comes last, or it could leave one half unrecognised. */
const cleanText = (redactor: Redactor, text: string): string => {
  if (text.length <= maxTextLength) return redactor.text(plainText(text))
  // Only so much is looked at. What is near that end may be a part of something, so it is never shown.
  const seen = redactor.text(plainText(text.slice(0, 4 * maxTextLength)))
  return `${seen.slice(0, Math.max(0, Math.min(maxTextLength, seen.length - maxTextLength)))}… (${text.length} characters)`
}

const boundMeta = (meta: Record<string, unknown>): Record<string, unknown> => {
  const { length } = JSON.stringify(meta)
  return length <= maxMetaLength
    ? meta
    : { cut: `${length} characters of details`, keys: Object.keys(meta).slice(0, 20) }
}

const reserved = new Set(['level', 'timestamp', 'service', 'message'])

/** Loaded when wanted: pino takes 20 ms to load (measured), a fifteenth of the time we have until we listen. */
const createJsonFormat = (): ((record: LogRecord) => string) => {
  const load = createRequire(import.meta.url)('pino') as typeof pino
  let line = ''
  let at = 0
  const instance = load(
    {
      level: 'debug',
      base: null,
      messageKey: 'message',
      timestamp: () => `,"timestamp":"${new Date(at).toISOString()}"`,
      formatters: { level: (name) => ({ level: name }) },
    },
    { write: (text: string) => void (line = text) },
  )
  return (record) => {
    at = record.at
    instance[record.level]({ service: record.service || 'main', ...unreserved(record.meta ?? {}) }, record.message)
    return line
  }
}

// A key of ours used twice would be valid JSON of which readers disagree on the meaning.
const unreserved = (meta: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(meta).map(([key, value]) => [reserved.has(key) ? `${key}_` : key, value]))

interface FanOutOptions {
  readonly sinks: readonly Sink[]
  readonly clock: Clock
  /** The line that tells the other sinks. */
  warning(sink: string, reason: string, lost: number): string
}

const warnEveryMs = 60_000

/** Every line to every sink. One that fails costs nobody anything but a warning per minute on the others (F5). */
const createFanOut = ({ sinks, clock, warning }: FanOutOptions): ((line: string) => void) => {
  const states = sinks.map((sink) => ({ sink, lost: 0, warnedAt: Number.NEGATIVE_INFINITY }))

  const failed = (state: (typeof states)[number], error: unknown): void => {
    state.lost += 1
    if (clock.now() - state.warnedAt < warnEveryMs) return
    state.warnedAt = clock.now()
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    const line = warning(state.sink.name, reason, state.lost)
    state.lost = 0
    // Straight to the others: a warning about a warning would go round for ever.
    for (const other of states) if (other !== state) attempt(other, line)
  }
  const attempt = (state: (typeof states)[number], line: string): unknown => {
    try {
      state.sink.write(line)
      return undefined
    } catch (error) {
      return error ?? new Error('unknown')
    }
  }

  for (const state of states) state.sink.onError((error) => failed(state, error))
  return (line) => {
    for (const state of states) {
      const error = attempt(state, line)
      if (error !== undefined) failed(state, error)
    }
  }
}

/** A record after the chokepoint: no secrets, no controls, no line breaks in its texts. */
interface LogRecord {
  readonly level: LogLevel
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly service: string | undefined
  readonly message: string
  readonly meta: Readonly<Record<string, unknown>> | undefined
}

/** 001-16: `<timestamp> [<level>] [<service|main>] <message> <json meta>`, the last only if there is any. */
const formatLine = ({ level, at, service, message, meta }: LogRecord): string => {
  const head = `${new Date(at).toISOString()} [${level}] [${service || 'main'}] ${message}`
  const json = meta === undefined ? '{}' : JSON.stringify(meta)
  return json === '{}' ? `${head}\n` : `${head} ${json}\n`
}
