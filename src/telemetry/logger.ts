export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** The least a room needs to say something. Meta holds names and numbers, never arguments or secrets. */
export interface Logger {
  log(level: LogLevel, message: string, meta?: Readonly<Record<string, unknown>>): void
  child(service: string): Logger
}

export const silentLogger: Logger = { log: () => {}, child: () => silentLogger }
