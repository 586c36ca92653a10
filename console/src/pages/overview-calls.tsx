import { useState } from 'react'
import type { Minute } from '../../../src/faces/admin/calls.js'
import type { HistoryStats } from '../../../src/faces/admin/history.js'
import type { SplitBy } from '../../../src/history/query.js'
import { useLoad } from '../api/use-load.js'
import { useNow } from '../api/use-now.js'
import { useTexts } from '../i18n/texts.js'
import { historyWords } from '../i18n/words-history.js'
import { Button } from '../parts/button.js'
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
type ShownSplit = Extract<SplitBy, 'tool' | 'source' | 'client'>

/** Calls over the last hour as they happen, or over days as they are kept; a click leads to those of that time (C6). */
export const OverviewCalls = ({ minutes }: { readonly minutes: readonly Minute[] }) => {
  const say = useTexts(historyWords)
  const [range, setRange] = useState<Range>('1h')
  const [by, setBy] = useState<ShownSplit>('tool')
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
        aside={<Choices<Range> label={say('range')} words={rangeWords} chosen={range} onChoose={setRange} />}
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
            <Choices<ShownSplit>
              label={say('splitBy')}
              words={{ tool: splitWords.tool, source: splitWords.source, client: splitWords.client }}
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

interface ChoicesProps<Name extends string> {
  readonly label: string
  readonly words: Readonly<Record<Name, keyof typeof historyWords>>
  readonly chosen: Name
  onChoose(name: Name): void
}

const Choices = <Name extends string>({ label, words, chosen, onChoose }: ChoicesProps<Name>) => {
  const say = useTexts(historyWords)
  return (
    <fieldset className="row splits" aria-label={label}>
      {(Object.keys(words) as Name[]).map((name) => (
        <Button key={name} kind="quiet" pressed={name === chosen} onClick={() => onChoose(name)}>
          {say(words[name])}
        </Button>
      ))}
    </fieldset>
  )
}
