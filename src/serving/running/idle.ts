import type { Gateway } from '../../gateway.js'
import type { Clock } from '../../model/clock.js'
import { say } from '../locale.js'
import type { LocalDoor } from './door.js'

export interface IdleOptions {
  readonly door: Pick<LocalDoor, 'visits' | 'onVisit'>
  readonly gateway: Pick<Gateway, 'onCall'>
  /** Asked anew each time: it may be changed while we run. */
  readonly idleMs: () => number
  readonly clock: Clock
}

/** Whoever started it is on the way, however short it shall stay afterwards. */
const firstMs = 30_000

/** Resolves, with the reason, when for so long nobody was inside and nobody called, by whatever way. */
export const whenIdle = ({ door, gateway, idleMs, clock }: IdleOptions): Promise<string> =>
  new Promise((resolve) => {
    let stop = () => {}
    let wasUsed = false
    const wait = (): void => {
      stop()
      wasUsed ||= door.visits() > 0
      if (door.visits() > 0) return
      stop = clock.after(wasUsed ? idleMs() : Math.max(idleMs(), firstMs), () => {
        stopCalls()
        resolve(say('the last client has left', '最后一个客户端已离开'))
      })
    }
    let last = clock.now()
    // Calls are many: the timer is set anew at most once a second.
    const stopCalls = gateway.onCall(() => {
      if (clock.now() - last < 1000) return
      last = clock.now()
      wait()
    })
    door.onVisit(wait)
    wait()
  })
