import { useState } from 'react'
import type { HistoryAnswer, HistoryCall, HistoryStats } from '../../../src/faces/admin/history.js'
import { base, get } from '../api/client.js'
import { useLoad } from '../api/use-load.js'
import { useNow } from '../api/use-now.js'
import { formatMoment, formatMs } from '../i18n/format.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { historyWords } from '../i18n/words-history.js'
import { Button } from '../parts/button.js'
import { Chips } from '../parts/chips.js'
import { Card, Empty, Failure, Loading, Page } from '../parts/page.js'
import { attempt } from '../parts/toast.js'
import { go, hrefOf, type Query } from '../router.js'
import { KeptCall, OutcomeBadge } from './history-call.js'
import { HistoryFigures } from './history-figures.js'
import { HistoryFilters, splitWords } from './history-filters.js'
import { HistoryPlots } from './history-plots.js'
import { Replay } from './history-replay.js'
import { askedOf, bucketOf, type HistoryView, queryOf, spanOf, viewOf } from './history-view.js'
import { SplitTable } from './split-table.js'

const pageSize = 100
const splitsShown = ['tool', 'source', 'client', 'caller', 'profile', 'code'] as const

/** Calls of the last days: what, who, how long, and what was said where that is kept (G5, G6). */
export const History = ({ item, query }: { readonly item: string | undefined; readonly query: Query }) => {
  const say = useTexts(historyWords)
  const view = viewOf(query)
  // What is looked at moves on by itself, slowly enough to be read.
  const now = useNow(view.range === '1h' ? 15_000 : 60_000)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [replayed, setReplayed] = useState<readonly string[]>()
  const span = spanOf(view, now)
  const bucketMs = String(bucketOf(...span))
  const stats = useLoad<HistoryStats>(`/history-stats?${askedOf(view, now, { bucketMs, by: view.by, most: '12' })}`)
  const kept = useKept(stats.data)
  const look = (next: Partial<HistoryView>): void => go('history', undefined, queryOf({ ...view, ...next }))
  const only = (name: string): string =>
    hrefOf('history', undefined, queryOf({ ...view, filter: { ...view.filter, [view.by]: name } }))
  const exported = (format: string): string => `${base}/history-export?${askedOf(view, now, { format })}`
  return (
    <Page
      title={say('history')}
      lead={say(kept?.kept === false ? 'historyOff' : 'historyLead')}
      actions={
        <>
          {chosen.size > 0 && (
            <Button kind="main" right="operate" onClick={() => setReplayed([...chosen])}>
              {say('replayN', { n: chosen.size })}
            </Button>
          )}
          <a className="button" download href={exported('jsonl')}>
            {say('exportJson')}
          </a>
          <a className="button" download href={exported('csv')}>
            {say('exportCsv')}
          </a>
        </>
      }
    >
      <HistoryFilters key={JSON.stringify(query)} view={view} now={now} onLook={look} />
      {stats.error && <Failure error={stats.error} />}
      {kept && (
        <>
          <HistoryFigures stats={kept} />
          <Card>
            <HistoryPlots stats={kept} onZoom={([from, until]) => look({ range: 'own', from, until })} />
            <p className="muted small">{say('zoomHint')}</p>
          </Card>
          <Card
            aside={
              <Chips
                label={say('splitBy')}
                options={splitsShown.map((each) => [each, say(splitWords[each])])}
                chosen={view.by}
                onChoose={(by) => look({ by })}
              />
            }
            title={say('topOf')}
          >
            <SplitTable stats={kept} title={say(splitWords[view.by])} hrefOf={only} />
          </Card>
        </>
      )}
      <CallTable view={view} now={now} chosen={chosen} onChoose={setChosen} />
      {item !== undefined && (
        <KeptCall id={item} onReplay={() => setReplayed([item])} onClose={() => go('history', undefined, query)} />
      )}
      {replayed && <Replay ids={replayed} onClose={() => setReplayed(undefined)} />}
    </Page>
  )
}

/** What was loaded last stands until the next is there: a picture that goes away every minute cannot be read. */
const useKept = (stats: HistoryStats | undefined): HistoryStats | undefined => {
  const [last, setLast] = useState<HistoryStats>()
  if (stats && stats !== last) setLast(stats)
  return stats ?? last
}

interface CallTableProps {
  readonly view: HistoryView
  readonly now: number
  readonly chosen: ReadonlySet<string>
  onChoose(chosen: ReadonlySet<string>): void
}

const CallTable = ({ view, now, chosen, onChoose }: CallTableProps) => {
  const say = useTexts(historyWords)
  const asked = askedOf(view, now, { limit: String(pageSize) })
  const { data, error } = useLoad<HistoryAnswer>(`/history?${asked}`)
  const [older, setOlder] = useState<{ readonly asked: string; readonly pages: readonly HistoryAnswer[] }>()
  const [shown, setShown] = useState<HistoryAnswer>()
  if (data && data !== shown) setShown(data)
  if (error && !shown) return <Failure error={error} />
  const first = data ?? shown
  if (!first) return <Loading />
  const pages = [first, ...(older?.asked === asked ? older.pages : [])]
  const calls = pages.flatMap((page) => page.calls)
  const next = pages.at(-1)!.next
  const more = (cursor: string): void =>
    void attempt(async () => {
      const page = await get<HistoryAnswer>(`/history?${asked}&cursor=${encodeURIComponent(cursor)}`)
      setOlder({ asked, pages: [...pages.slice(1), page] })
    })
  const turn = (id: string): void =>
    onChoose(chosen.has(id) ? new Set([...chosen].filter((each) => each !== id)) : new Set([...chosen, id]))
  if (calls.length === 0) return <Empty title={say('noneFit')} />
  return (
    <>
      <section className="card scroll-x">
        <table className="as-cards history">
          <thead>
            <tr>
              <th>
                <span className="unseen">{say('chooseCall')}</span>
              </th>
              {(['time', 'tool', 'client', 'caller', 'profile', 'outcome', 'took'] as const).map((column) => (
                <th key={column}>{say(column)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {calls.map((call) => (
              <Line key={call.id} call={call} view={view} isChosen={chosen.has(call.id)} onTurn={() => turn(call.id)} />
            ))}
          </tbody>
        </table>
      </section>
      <p className="row audit-end">
        {next === undefined ? (
          <span className="muted small">{say('allCalls')}</span>
        ) : (
          <Button onClick={() => more(next)}>{say('olderCalls')}</Button>
        )}
      </p>
    </>
  )
}

interface LineProps {
  readonly call: HistoryCall
  readonly view: HistoryView
  readonly isChosen: boolean
  onTurn(): void
}

const Line = ({ call, view, isChosen, onTurn }: LineProps) => {
  const say = useTexts(historyWords)
  const language = useLanguage()
  return (
    <tr>
      <td data-label={say('chooseCall')}>
        <input
          type="checkbox"
          aria-label={say('chooseCall')}
          checked={isChosen}
          disabled={!call.hasValues}
          title={call.hasValues ? undefined : say('valuesNone')}
          onChange={onTurn}
        />
      </td>
      <td data-label={say('time')}>
        <a href={hrefOf('history', call.id, queryOf(view))}>{formatMoment(call.at, language)}</a>
      </td>
      <td className="mono" data-label={say('tool')}>
        {call.tool}
      </td>
      <td data-label={say('client')}>
        {call.client ?? <span className="muted">—</span>}{' '}
        {call.clientVersion && <span className="muted">{call.clientVersion}</span>}
      </td>
      <td data-label={say('caller')} title={call.caller}>
        {call.callerName ?? <span className="mono">{call.caller}</span>}
      </td>
      <td data-label={say('profile')}>{call.profile}</td>
      <td data-label={say('outcome')}>
        <OutcomeBadge call={call} />
      </td>
      <td className="mono end" data-label={say('took')}>
        {formatMs(call.latencyMs)}
      </td>
    </tr>
  )
}
