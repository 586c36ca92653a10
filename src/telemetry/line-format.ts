import type { LogLevel } from './logger.js'

/** A record after the chokepoint: no secrets, no controls, no line breaks in its texts. */
export interface LogRecord {
  readonly level: LogLevel
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly service: string | undefined
  readonly message: string
  readonly meta: Readonly<Record<string, unknown>> | undefined
}

/** 001-16: `<timestamp> [<level>] [<service|main>] <message> <json meta>`, the last only if there is any. */
export const formatLine = ({ level, at, service, message, meta }: LogRecord): string => {
  const head = `${new Date(at).toISOString()} [${level}] [${service || 'main'}] ${message}`
  const json = meta === undefined ? '{}' : JSON.stringify(meta)
  return json === '{}' ? `${head}\n` : `${head} ${json}\n`
}
