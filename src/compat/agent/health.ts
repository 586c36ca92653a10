import type { Clock } from '../../model/clock.js'
import type { IMCPServiceAdapter } from './adapter.js'
import type { AgentLogger } from './log.js'

export interface HealthWatch {
  /** The last verdict; true until there is one. */
  readonly healthy: boolean
  stop(): void
}

// Document 001 gives no defaults; these are the supervisor's own.
const defaults = { interval: 30_000, timeout: 5000 }
const missesAllowed = 2

/** Asks a running service how it is, again and again: two misses make it unhealthy, one answer healthy. */
export const watchHealth = (adapter: IMCPServiceAdapter, clock: Clock, logger: AgentLogger): HealthWatch => {
  const { interval, timeout } = adapter.healthCheck ?? defaults
  let misses = 0
  let stopped = false
  let cancel = () => {}

  const judge = (answered: boolean): void => {
    const was = misses
    misses = answered ? 0 : misses + 1
    if (answered && was >= missesAllowed) logger.info(`Service healthy again: ${adapter.name}`)
    if (misses === missesAllowed) logger.warn(`Service unhealthy: ${adapter.name}`, { misses, timeoutMs: timeout })
  }
  const look = async (): Promise<void> => {
    // One that is stopped or on its way up is not ill.
    if (adapter.status === 'stopped' || adapter.status === 'starting') misses = 0
    else judge(await answersWithin(adapter, timeout, clock))
    plan()
  }
  const plan = (): void => {
    if (!stopped) cancel = clock.after(interval, () => void look())
  }
  plan()

  return {
    get healthy() {
      return misses < missesAllowed
    },
    stop: () => {
      stopped = true
      cancel()
    },
  }
}

const answersWithin = (adapter: IMCPServiceAdapter, timeoutMs: number, clock: Clock): Promise<boolean> =>
  new Promise((resolve) => {
    const cancel = clock.after(timeoutMs, () => resolve(false))
    const settle = (healthy: boolean): void => {
      cancel()
      resolve(healthy)
    }
    // Inside a promise, since a stranger's adapter may throw before it promises.
    Promise.resolve()
      .then(() => adapter.isHealthy())
      .then(settle, () => settle(false))
  })
