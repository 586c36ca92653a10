import type { Logger, LogLevel } from '../../../telemetry/logger.js'
import { silentLogger } from '../../../telemetry/logger.js'

type Meta = Readonly<Record<string, unknown>>

/** A logger with a method per level, such as Winston's or `console`. */
export interface LevelLogger {
  debug(message: string, meta?: Meta): unknown
  info(message: string, meta?: Meta): unknown
  warn(message: string, meta?: Meta): unknown
  error(message: string, meta?: Meta): unknown
}

/** Both ways of writing at once: rooms below use `log`, people who write adapters use the levels. */
export interface AgentLogger extends Logger {
  debug(message: string, meta?: Meta): void
  info(message: string, meta?: Meta): void
  warn(message: string, meta?: Meta): void
  error(message: string, meta?: Meta): void
  child(service: string): AgentLogger
}

class AgentLog implements AgentLogger {
  readonly #logger: Logger

  constructor(logger: Logger) {
    this.#logger = logger
  }

  log(level: LogLevel, message: string, meta?: Meta): void {
    this.#logger.log(level, message, meta)
  }

  child(service: string): AgentLogger {
    return new AgentLog(this.#logger.child(service))
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

/** Takes our loggers and those of document 001, which have levels as methods and say who speaks in `service`. */
export const toAgentLogger = (given: Logger | LevelLogger = silentLogger): AgentLogger => {
  if (given instanceof AgentLog) return given
  return new AgentLog('info' in given && typeof given.info === 'function' ? fromLevels(given, {}) : (given as Logger))
}

const fromLevels = (levels: LevelLogger, around: Meta): Logger => ({
  log: (level, message, meta) => void levels[level](message, { ...around, ...meta }),
  child: (service) => fromLevels(levels, { service }),
})
