import { lazy, Suspense, useRef, useState } from 'react'
import type { SourceRow } from '../../../src/faces/admin/sources.js'
import { useLive } from '../api/live.js'
import { useTexts } from '../i18n/texts.js'
import { sourceWords } from '../i18n/words-sources.js'
import { Badge, State } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Choice } from '../parts/field.js'
import { Icon } from '../parts/icon.js'
import { Empty, Loading, Page } from '../parts/page.js'
import { Reason, Trace } from '../parts/reason.js'
import { Retry } from '../parts/retry.js'
import { useSlash, walkRows } from '../parts/row-keys.js'
import { go, hrefOf } from '../router.js'
import { LeftAlone } from './left-alone.js'
import { countsOf, fitsWords, inOrder, type Sort, type Standing, sorts, standingOf, standings } from './source-order.js'
import { SourcePage } from './source-page.js'
import { SourceSwitch } from './source-switch.js'
import { SourceTable } from './source-table.js'

// Most visits add nothing.
const AddSource = lazy(async () => ({ default: (await import('./add-source.js')).AddSource }))

type View = 'cards' | 'table'

/** Where tools come from, and how each of these places is: what is broken first. */
export const Sources = ({ item }: { readonly item: string | undefined }) => {
  const say = useTexts()
  const { sources } = useLive()
  const [adding, setAdding] = useState(false)
  if (item !== undefined) return <SourcePage key={item} name={item} />
  return (
    <Page
      title={say('sources')}
      actions={
        <Button right="spawn" kind="main" icon="plus" onClick={() => setAdding(true)}>
          {say('addSource')}
        </Button>
      }
    >
      {sources.filter(({ configured }) => configured).length === 0 && (
        <Empty title={say('noSources')}>
          <p className="muted">{say('noSourcesLead')}</p>
          <a className="button plain" href={hrefOf('import')}>
            <Icon name="import" />
            {say('importFromClients')}
          </a>
        </Empty>
      )}
      <SourceList sources={sources} />
      {adding && (
        <Dialog title={say('addSource')} wide onClose={() => setAdding(false)}>
          <Suspense fallback={<Loading />}>
            <AddSource
              onSaved={(names) => {
                setAdding(false)
                if (names.length === 1) go('sources', names[0])
              }}
            />
          </Suspense>
        </Dialog>
      )}
    </Page>
  )
}

const groupWords = {
  broken: 'groupBroken',
  waiting: 'groupWaiting',
  ready: 'groupReady',
  asleep: 'groupAsleep',
  off: 'groupOff',
} as const
const sortWords = { state: 'sortState', name: 'sortName', tools: 'sortTools', kind: 'sortKind' } as const

const SourceList = ({ sources }: { readonly sources: readonly SourceRow[] }) => {
  const say = useTexts(sourceWords)
  const [words, setWords] = useState('')
  const [group, setGroup] = useState<Standing>()
  const [kind, setKind] = useState('')
  const [sort, setSort] = useKept<Sort>('pegboard.sources.sort', sorts, 'state')
  const [view, setView] = useKept<View>('pegboard.sources.view', ['cards', 'table'], 'cards')
  const filter = useRef<HTMLInputElement>(null)
  useSlash(() => filter.current?.focus())
  const named = sources.filter(
    (row) => (kind === '' || row.kind === kind) && fitsWords([row.name, row.kind, row.state, row.reason], words),
  )
  const counts = countsOf(named)
  const shown = inOrder(
    named.filter((row) => group === undefined || standingOf(row) === group),
    sort,
  )
  const kinds = [...new Set(sources.map((row) => row.kind))].sort()
  if (sources.length === 0) return null
  return (
    <>
      <search className="source-tools">
        <input
          ref={filter}
          type="search"
          aria-label={say('filterSources')}
          placeholder={say('filterSources')}
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
        <fieldset className="chips">
          <legend className="unseen">{say('stateFilter')}</legend>
          <Chip on={group === undefined} onClick={() => setGroup(undefined)}>
            {say('groupAll', { n: named.length })}
          </Chip>
          {standings
            .filter((each) => counts[each] > 0 || each === group)
            .map((each) => (
              <Chip
                key={each}
                tone={each}
                on={group === each}
                onClick={() => setGroup(group === each ? undefined : each)}
              >
                {say(groupWords[each], { n: counts[each] })}
              </Chip>
            ))}
        </fieldset>
        <span className="source-choices">
          <Choice
            label={say('kind')}
            value={kind}
            options={[['', say('allKinds')], ...kinds.map((each) => [each, each] as const)]}
            onChange={setKind}
          />
          <Choice
            label={say('sortBy')}
            value={sort}
            options={sorts.map((each) => [each, say(sortWords[each])] as const)}
            onChange={(next) => setSort(next as Sort)}
          />
          <fieldset className="chips">
            <legend className="unseen">{say('view')}</legend>
            {(['cards', 'table'] as const).map((each) => (
              <Chip key={each} on={view === each} onClick={() => setView(each)}>
                {say(each)}
              </Chip>
            ))}
          </fieldset>
        </span>
      </search>
      {shown.length === 0 && <Empty title={say('nothingMore')} />}
      {shown.length > 0 && view === 'table' && <SourceTable sources={shown} sort={sort} onSort={setSort} />}
      {shown.length > 0 && view === 'cards' && (
        <ul className="source-cards" onKeyDown={walkRows}>
          {shown.map((source) => (
            <SourceCard key={source.name} source={source} />
          ))}
        </ul>
      )}
    </>
  )
}

interface ChipProps {
  readonly on: boolean
  readonly tone?: Standing
  readonly children: string
  onClick(): void
}

const Chip = ({ on, tone, children, onClick }: ChipProps) => (
  <button type="button" className={`chip${tone === undefined ? '' : ` ${tone}`}`} aria-pressed={on} onClick={onClick}>
    {children}
  </button>
)

const SourceCard = ({ source }: { readonly source: SourceRow }) => {
  const say = useTexts(sourceWords)
  return (
    <li className="card source-card">
      <a className="source-link" href={hrefOf('sources', source.name)} data-row>
        <span className="row">
          <span className="strong">{source.name}</span>
          <State state={source.state} />
        </span>
        <span className="row muted small">
          <Badge>{source.configured ? source.kind : say('builtIn')}</Badge>
          <span>{say('nTools', { n: source.tools })}</span>
          {source.replica !== undefined && <span>{say('runsAt', { name: source.replica })}</span>}
          {source.elsewhere?.map(({ replica, state }) => (
            <span key={replica} className="row">
              <State state={state} /> {say('runsAt', { name: replica })}
            </span>
          ))}
          <LeftAlone source={source} />
          {source.held > 0 && <Badge tone="warn">{say('heldN', { n: source.held })}</Badge>}
        </span>
      </a>
      <SourceSwitch source={source} />
      {source.reason && source.enabled && (
        <div className="why">
          <p className="two-lines" title={source.reason}>
            <Reason reason={source.reason} />
          </p>
          <Retry at={source.nextRetryAt} />
          <Trace reason={source.reason} />
        </div>
      )}
    </li>
  )
}

/** A choice of how this browser shows it, kept from one visit to the next. */
const useKept = <Value extends string>(
  place: string,
  values: readonly Value[],
  byDefault: Value,
): readonly [Value, (value: Value) => void] => {
  const [value, setValue] = useState(() => values.find((each) => each === localStorage.getItem(place)) ?? byDefault)
  return [
    value,
    (next) => {
      localStorage.setItem(place, next)
      setValue(next)
    },
  ]
}
