import type { LoadedConfig } from '../config/load.js'
import { secretsOf } from '../config/secret-values.js'
import type { Logger, LogLevel } from '../telemetry/logger.js'
import { createPinoLogger } from '../telemetry/pino-logger.js'
import { createRedactor, type Redactor } from '../telemetry/redact.js'
import { voiced } from './log-voice.js'
import type { CommonFlags } from './read-config.js'

/** The logger of a command, with every secret of the configuration left out of what it writes. */
export const openLogger = (
  loaded: LoadedConfig,
  level: LogLevel | (() => LogLevel) = loaded.config.logging.level,
  redactor: Redactor = createRedactor(secretsOf(loaded)),
): Logger => {
  const { config, isAgentFormat } = loaded
  const logger = createPinoLogger({ ...config.logging, level, redactor })
  return config.logging.format === 'line' && !isAgentFormat ? voiced(logger) : logger
}

/** Commands that print an answer keep quiet beside it unless told otherwise. */
export const quietLogger = (loaded: LoadedConfig, flags: CommonFlags, level: LogLevel): Logger =>
  openLogger(loaded, flags.logLevel === undefined ? level : loaded.config.logging.level)
