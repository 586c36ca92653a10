import type { Logger } from './logger.js'

/** A logger whose every record says which source it is about. */
export const markedLogger = (logger: Logger, source: string): Logger => ({
  log: (level, message, meta) => logger.log(level, message, { ...meta, source }),
  child: (service) => markedLogger(logger.child(service), source),
})
