import type { Clock } from '../model/clock.js'
import type { Logger } from '../telemetry/logger.js'
import { say } from './locale.js'

/** Whether new clients should come. Before we listen nobody can ask, and by then what was stored is read. */
export interface Readiness {
  readonly isDraining: boolean
  /** Somebody looks at our readiness, so somebody decides by it. */
  asked(): void
  /** From now on not ready; resolves after the time that whoever decides by it needs to notice. */
  drain(drainMs: number): Promise<void>
}

export const createReadiness = (clock: Clock, logger: Logger): Readiness => {
  let isAsked = false
  let isDraining = false
  return {
    get isDraining() {
      return isDraining
    },
    asked: () => {
      isAsked = true
    },
    drain: (drainMs) => {
      isDraining = true
      // Nobody ever asked: there is no balancer to wait for.
      if (!isAsked || drainMs === 0) return Promise.resolve()
      logger.log(
        'info',
        say(
          `Draining: not ready any more, serving for another ${drainMs} ms`,
          `正在排空：不再就绪，继续服务 ${drainMs} 毫秒`,
        ),
      )
      return new Promise((resolve) => void clock.after(drainMs, resolve, true))
    },
  }
}
