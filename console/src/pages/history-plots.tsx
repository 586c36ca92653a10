import type { HistoryStats } from '../../../src/faces/admin/history.js'
import { useTexts } from '../i18n/texts.js'
import { historyWords } from '../i18n/words-history.js'
import { SeriesPlot, type Stretch } from '../parts/series-plot.js'
import { filledSeries } from './history-view.js'

export interface HistoryPlotsProps {
  readonly stats: HistoryStats
  onZoom(stretch: Stretch): void
}

/** How many there were, and beside it how long they took. */
export const HistoryPlots = ({ stats, onZoom }: HistoryPlotsProps) => {
  const say = useTexts(historyWords)
  const { series, from, to, bucketMs } = stats
  const points = filledSeries(series, [from, to], bucketMs)
  const at = points.map((point) => point.at)
  const shared = { at, bucketMs, onZoom }
  return (
    <div className="columns plots">
      <figure>
        <figcaption className="legend">
          <strong>{say('calls')}</strong>
          <span>{say('answeredBars')}</span>
          <span className="failed">{say('failedBars')}</span>
        </figcaption>
        <SeriesPlot
          {...shared}
          draw="bars"
          label={say('calls')}
          rows={[points.map(({ calls }) => calls ?? 0), points.map(({ errors }) => errors ?? 0)]}
        />
      </figure>
      <figure>
        <figcaption className="legend">
          <strong>{say('latency')}</strong>
          <span>{say('p50')}</span>
          <span className="slow">{say('p95')}</span>
        </figcaption>
        <SeriesPlot
          {...shared}
          draw="lines"
          label={say('latency')}
          rows={[points.map(({ p50Ms }) => p50Ms ?? null), points.map(({ p95Ms }) => p95Ms ?? null)]}
        />
      </figure>
    </div>
  )
}
