import type { Clock } from '../../model/clock.js'
import type { Logger } from '../../telemetry/logger.js'
import { createNewest } from '../../telemetry/newest.js'
import type { LoggedAfter, LogLine } from './calls.js'

export interface LogRingOptions {
  /** Where everything goes as well. */
  readonly logger: Logger
  /** Takes secrets out of what is kept: the ring is shown in a browser (T23). */
  readonly clean: (text: string) => string
  readonly clock: Clock
  /** Default: 2,000. */
  readonly maxLines?: number | undefined
}

/** The last lines of the log, for people without a terminal. */
export interface LogRing {
  readonly logger: Logger
  lines(source?: string): readonly LogLine[]
  /** What was logged after a number, and the number of the newest. */
  after(number: number, most: number): LoggedAfter
}

const maxChars = 2000

export const createLogRing = ({ logger, clean, clock, maxLines = 2000 }: LogRingOptions): LogRing => {
  const newest = createNewest<LogLine>(maxLines)
  const wrap = (inner: Logger, service: string | undefined): Logger => ({
    log: (level, message, meta) => {
      inner.log(level, message, meta)
      if (level === 'debug') return
      const source = typeof meta?.source === 'string' ? meta.source : undefined
      newest.push({
        n: newest.last + 1,
        at: clock.wall(),
        level,
        service,
        source,
        message: clean(message).slice(0, maxChars),
      })
    },
    child: (name) => wrap(inner.child(name), name),
  })
  return {
    logger: wrap(logger, undefined),
    lines: (source) => newest.list(maxLines, (line) => source === undefined || line.source === source).toReversed(),
    after: (number, most) => {
      const { items, missed } = newest.after(number, most)
      return { lines: items, missed, last: newest.last }
    },
  }
}
