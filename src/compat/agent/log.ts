import { type Logger as GatewayLogger, type LogLevel, silentLogger } from '../../telemetry/logger.js'
import { createPinoLogger } from '../../telemetry/pino-logger.js'

type Meta = Readonly<Record<string, unknown>>

/** A logger with a method per level, such as Winston's or `console`. */
export interface LevelLogger {
  debug(message: string, meta?: Meta): unknown
  info(message: string, meta?: Meta): unknown
  warn(message: string, meta?: Meta): unknown
  error(message: string, meta?: Meta): unknown
}

/** Both ways of writing at once: rooms below use `log`, people who write adapters use the levels. */
export interface AgentLogger extends GatewayLogger {
  debug(message: string, meta?: Meta): void
  info(message: string, meta?: Meta): void
  warn(message: string, meta?: Meta): void
  error(message: string, meta?: Meta): void
  child(service: string): AgentLogger
}

/** Who speaks: a service's name, or document 001's object with it and whatever else each record should say. */
export type ChildOf = string | (Meta & { readonly service?: string | undefined })

/**
 * The logger of document 001 (001-08, 001-16). `Logger.getInstance()` is the one that everybody shares: lines on standard
 * error, from the level that `LOG_LEVEL` names, secrets left out.
 */
export class Logger implements AgentLogger {
  static #shared: Logger | undefined
  readonly #logger: GatewayLogger
  readonly #around: Meta | undefined

  constructor(logger: GatewayLogger = toStandardError(), around?: Meta) {
    this.#logger = logger
    this.#around = around
  }

  static getInstance(): Logger {
    Logger.#shared ??= new Logger()
    return Logger.#shared
  }

  /** What `getInstance` gives from now on; undefined for the default. */
  static setInstance(logger: GatewayLogger | LevelLogger | undefined): void {
    Logger.#shared = logger && toAgentLogger(logger)
  }

  log(level: LogLevel, message: string, meta?: Meta): void {
    this.#logger.log(level, message, this.#around ? { ...this.#around, ...meta } : meta)
  }

  child(who: ChildOf): Logger {
    if (typeof who === 'string') return new Logger(this.#logger.child(who), this.#around)
    const { service, ...around } = who
    const named = service === undefined ? this.#logger : this.#logger.child(service)
    return new Logger(named, Object.keys(around).length > 0 ? { ...this.#around, ...around } : this.#around)
  }

  debug(message: string, meta?: Meta): void {
    this.log('debug', message, meta)
  }

  info(message: string, meta?: Meta): void {
    this.log('info', message, meta)
  }

  warn(message: string, meta?: Meta): void {
    this.log('warn', message, meta)
  }

  error(message: string, meta?: Meta): void {
    this.log('error', message, meta)
  }
}

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

const toStandardError = (): GatewayLogger => {
  const level = () => levels.find((each) => each === process.env.LOG_LEVEL?.toLowerCase()) ?? 'info'
  return createPinoLogger({ level, format: 'line' })
}

/** Takes our loggers and those of document 001, which have levels as methods and say who speaks in `service`. */
export const toAgentLogger = (given: GatewayLogger | LevelLogger = silentLogger): Logger => {
  if (given instanceof Logger) return given
  return new Logger(
    'info' in given && typeof given.info === 'function' ? fromLevels(given, {}) : (given as GatewayLogger),
  )
}

const fromLevels = (levels: LevelLogger, around: Meta): GatewayLogger => ({
  log: (level, message, meta) => void levels[level](message, { ...around, ...meta }),
  child: (service) => fromLevels(levels, { service }),
})
