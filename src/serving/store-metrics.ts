import type { Commons } from '../storage/commons.js'
import type { Metrics } from '../telemetry/metrics.js'

/** Whether the database answers and how old what is known of it is, for replicas. Nothing where there is none. */
export const followStore = (metrics: Metrics, commons: Pick<Commons, 'isUp' | 'lagMs'> | undefined): void => {
  if (!commons) return
  const up = metrics.gauge('pegboard_store_up', '1 while the database answers.', [])
  const lag = metrics.gauge(
    'pegboard_store_lag_seconds',
    'Time since changes of other replicas were last asked for.',
    [],
  )
  metrics.onScrape(() => {
    up.set({}, commons.isUp ? 1 : 0)
    const lagMs = commons.lagMs()
    if (Number.isFinite(lagMs)) lag.set({}, lagMs / 1000)
  })
}
