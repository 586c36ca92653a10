import { type FormEvent, useState } from 'react'
import type { SplitBy } from '../../../src/history/query.js'
import { useTexts } from '../i18n/texts.js'
import { historyWords } from '../i18n/words-history.js'
import { Button } from '../parts/button.js'
import { Choice, Text } from '../parts/field.js'
import { type HistoryFilter, type HistoryView, type Range, ranges, spanOf } from './history-view.js'

export const splitWords = {
  tool: 'byTool',
  source: 'bySource',
  client: 'byClient',
  caller: 'byCaller',
  profile: 'byProfile',
  code: 'byCode',
} as const satisfies Record<SplitBy, keyof typeof historyWords>

const rangeWords = { '1h': 'range1h', '24h': 'range24h', '7d': 'range7d', '14d': 'range14d' } as const

export interface HistoryFiltersProps {
  readonly view: HistoryView
  readonly now: number
  onLook(view: Partial<HistoryView>): void
}

/** Which calls are meant: words and a time, and whatever else was clicked stands beside them to be taken away. */
export const HistoryFilters = ({ view, now, onLook }: HistoryFiltersProps) => {
  const say = useTexts(historyWords)
  const [text, setText] = useState(view.filter.text ?? '')
  const { text: _, outcome = '', ...others } = view.filter
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onLook({ filter: withFilter(view.filter, 'text', text.trim()) })
  }
  const choose = (range: string): void => {
    if (range !== 'own') return onLook({ range: range as Range })
    const [from, until] = spanOf(view, now)
    onLook({ range: 'own', from: minute(from), until: minute(until) + 60_000 })
  }
  const isFiltered = Object.keys(view.filter).length > 0 || view.range === 'own'
  return (
    <form className="card history-filter" onSubmit={submit}>
      <div className="row filters history-filters">
        <input
          type="search"
          aria-label={say('anyWords')}
          placeholder={say('anyWords')}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Choice
          label={say('outcome')}
          value={outcome}
          onChange={(value) => onLook({ filter: withFilter(view.filter, 'outcome', value) })}
          options={[
            ['', say('all')],
            ['ok', say('okOnly')],
            ['failed', say('failedOnly')],
          ]}
        />
        <Choice
          label={say('range')}
          value={view.range}
          onChange={choose}
          options={[
            ...(Object.keys(ranges) as Range[]).map((range) => [range, say(rangeWords[range])] as const),
            ['own', say('rangeOwn')],
          ]}
        />
        {isFiltered && (
          <Button onClick={() => onLook({ range: '24h', from: 0, until: 0, filter: {} })}>{say('reset')}</Button>
        )}
      </div>
      {view.range === 'own' && (
        <div className="row filters">
          <Moment label={say('from')} at={view.from} onChange={(from) => from < view.until && onLook({ from })} />
          <Moment label={say('until')} at={view.until} onChange={(until) => until > view.from && onLook({ until })} />
        </div>
      )}
      {Object.keys(others).length > 0 && (
        <p className="row chips">
          {Object.entries(others).map(([name, value]) => (
            <Button
              key={name}
              kind="quiet"
              icon="close"
              onClick={() => onLook({ filter: withFilter(view.filter, name as keyof HistoryFilter, '') })}
            >
              {`${name in splitWords ? say(splitWords[name as SplitBy]) : name}: ${value}`}
            </Button>
          ))}
        </p>
      )}
    </form>
  )
}

const withFilter = (filter: HistoryFilter, name: keyof HistoryFilter, value: string): HistoryFilter => {
  const { [name]: _, ...others } = filter
  return value === '' ? others : { ...others, [name]: value }
}

const minute = (at: number): number => Math.floor(at / 60_000) * 60_000

interface MomentProps {
  readonly label: string
  readonly at: number
  onChange(at: number): void
}

const Moment = ({ label, at, onChange }: MomentProps) => (
  <Text
    label={label}
    type="datetime-local"
    value={localOf(at)}
    onChange={(text) => {
      const moment = new Date(text).getTime()
      if (!Number.isNaN(moment)) onChange(moment)
    }}
  />
)

/** What the browser's field takes is local time. */
const localOf = (at: number): string => {
  const date = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return date.toISOString().slice(0, 16)
}
