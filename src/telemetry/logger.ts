export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** The least a room needs to say something. Meta holds names and numbers, never arguments or secrets. */
export interface Logger {
  log(level: LogLevel, message: string, meta?: Readonly<Record<string, unknown>>): void
  child(service: string): Logger
}

export const silentLogger: Logger = { log: () => {}, child: () => silentLogger }

/** A logger whose every record says which source it is about. */
export const markedLogger = (logger: Logger, source: string): Logger => ({
  log: (level, message, meta) => logger.log(level, message, { ...meta, source }),
  child: (service) => markedLogger(logger.child(service), source),
})
