import { useState } from 'react'
import type { Minute } from '../../../src/faces/admin/calls.js'
import type { HistoryStats } from '../../../src/faces/admin/history.js'
import { useLoad } from '../api/use-load.js'
import { useNow } from '../api/use-now.js'
import { useTexts } from '../i18n/texts.js'
import { historyWords } from '../i18n/words-history.js'
import { Chips } from '../parts/chips.js'
import { Card } from '../parts/page.js'
import { SeriesPlot, type Stretch } from '../parts/series-plot.js'
import { go, hrefOf } from '../router.js'
import { HistoryFigures } from './history-figures.js'
import { splitWords } from './history-filters.js'
import { HistoryPlots } from './history-plots.js'
import { askedOf, bucketOf, type HistoryView, queryOf, type Range, spanOf } from './history-view.js'
import { SplitTable } from './split-table.js'

const minuteMs = 60_000
const rangeWords = { '1h': 'range1h', '24h': 'range24h', '7d': 'range7d', '14d': 'range14d' } as const
const rangesShown = ['1h', '24h', '7d', '14d'] as const
const splitsShown = ['tool', 'source', 'client'] as const

/** Calls over the last hour as they happen, or over days as they are kept; a click leads to those of that time (G6). */
export const OverviewCalls = ({ minutes }: { readonly minutes: readonly Minute[] }) => {
  const say = useTexts(historyWords)
  const [range, setRange] = useState<Range>('1h')
  const [by, setBy] = useState<(typeof splitsShown)[number]>('tool')
  const now = useNow(range === '1h' ? 15_000 : minuteMs)
  const view: HistoryView = { range, from: 0, until: 0, by, filter: {} }
  const bucketMs = String(bucketOf(...spanOf(view, now)))
  const { data } = useLoad<HistoryStats>(`/history-stats?${askedOf(view, now, { bucketMs, by, most: '6' })}`)
  const [last, setLast] = useState<HistoryStats>()
  if (data && data !== last) setLast(data)
  const stats = data ?? last
  const open = ([from, until]: Stretch): void => go('history', undefined, { from: String(from), until: String(until) })
  const only = (name: string): string => hrefOf('history', undefined, queryOf({ ...view, filter: { [by]: name } }))
  return (
    <>
      <Card
        title={say(range === '1h' ? 'callsPerMinute' : 'calls')}
        aside={
          <Chips<Range>
            label={say('range')}
            options={rangesShown.map((each) => [each, say(rangeWords[each])])}
            chosen={range}
            onChoose={setRange}
          />
        }
      >
        {range === '1h' || !stats?.kept ? (
          <SeriesPlot
            at={minutes.map(({ at }) => at)}
            bucketMs={minuteMs}
            rows={[minutes.map(({ calls }) => calls), minutes.map(({ errors }) => errors)]}
            draw="bars"
            label={say('callsPerMinute')}
            onZoom={open}
          />
        ) : (
          <>
            <HistoryFigures stats={stats} />
            <HistoryPlots stats={stats} onZoom={open} />
          </>
        )}
        <p className="legend">
          <span>{say('answeredBars')}</span>
          <span className="failed">{say('failedBars')}</span>
          <span className="note">{say('zoomHint')}</span>
        </p>
      </Card>
      {stats?.kept && stats.totals.calls > 0 && (
        <Card
          title={say('topOf')}
          aside={
            <Chips<(typeof splitsShown)[number]>
              label={say('splitBy')}
              options={splitsShown.map((each) => [each, say(splitWords[each])])}
              chosen={by}
              onChoose={setBy}
            />
          }
        >
          <SplitTable stats={stats} title={say(splitWords[by])} hrefOf={only} />
        </Card>
      )}
    </>
  )
}
