import { useState, useSyncExternalStore } from 'react'
import type { LoggedCall } from '../../../src/faces/admin/calls.js'
import { useLive } from '../api/live.js'
import { formatCount, formatMoment, formatMs, formatTime } from '../i18n/format.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { historyWords } from '../i18n/words-history.js'
import { scriptWords } from '../i18n/words-scripts.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { ErrorText } from '../parts/error-text.js'
import { Choice } from '../parts/field.js'
import { Empty, Page } from '../parts/page.js'
import { Rows } from '../parts/rows.js'
import { go, hrefOf } from '../router.js'
import { type CallRow, callTree, nameOfCall, stepOf } from './call-tree.js'
import { Parked } from './parked.js'

/** Calls as they happen; the address may name one of them, or a script. */
export const Calls = ({ item }: { readonly item: string | undefined }) => {
  const say = useTexts({ ...scriptWords, ...historyWords })
  const { calls } = useLive()
  const narrow = useNarrow()
  const [words, setWords] = useState(isRun(item) ? item : '')
  const [outcome, setOutcome] = useState('all')
  const [frozen, setFrozen] = useState<readonly LoggedCall[]>()
  const [chosen, setChosen] = useState<LoggedCall>()
  // What the reader has turned over, by the script's name: open by itself is what a search found within.
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const isOpen = (script: LoggedCall, isFound: boolean): boolean =>
    turned.has(nameOfCall(script)) !== (isFound || script.run === item)
  const rows = callTree(frozen ?? calls, (call) => fits(call, words, outcome), isOpen)
  const hasScripts = rows.some(({ inner }) => inner !== undefined)
  const turn = (script: LoggedCall): void => {
    const name = nameOfCall(script)
    setTurned((before) =>
      before.has(name) ? new Set([...before].filter((each) => each !== name)) : new Set([...before, name]),
    )
  }
  const named = item === undefined || isRun(item) ? undefined : calls.find((call) => nameOfCall(call) === item)
  const detail = chosen ?? named
  const close = (): void => {
    setChosen(undefined)
    if (named) go('calls')
  }
  return (
    <Page
      title={say('calls')}
      lead={say('noArgumentsKept')}
      actions={
        <>
          <a className="button" href={hrefOf('history')}>
            {say('history')}
          </a>
          <Button pressed={frozen !== undefined} onClick={() => setFrozen(frozen ? undefined : calls)}>
            {say(frozen ? 'resume' : 'pause')}
          </Button>
        </>
      }
    >
      <Parked />
      <section className={hasScripts ? 'card calls with-scripts' : 'card calls'}>
        <div className="row filters">
          <input
            type="search"
            aria-label={say('filterCalls')}
            placeholder={say('filterCalls')}
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
          <Choice
            label={say('outcome')}
            value={outcome}
            onChange={setOutcome}
            options={[
              ['all', say('all')],
              ['ok', say('okOnly')],
              ['failed', say('failedOnly')],
            ]}
          />
          <span className="muted small">
            {say('nShown', { n: formatCount(rows.length), all: formatCount(calls.length) })}
          </span>
        </div>
        {!narrow && rows.length > 0 && (
          <div className="call-line call-heads" aria-hidden="true">
            <span>{say('time')}</span>
            <span>{say('tool')}</span>
            <span className="caller">{say('caller')}</span>
            <span>{say('outcome')}</span>
            <span className="end">{say('took')}</span>
          </div>
        )}
        {rows.length === 0 ? (
          <Empty title={say('noCalls')} />
        ) : (
          <Rows
            rows={rows}
            rowHeight={narrow ? 64 : 44}
            label={say('calls')}
            keyOf={({ call }) => nameOfCall(call)}
            render={(row) => <Row row={row} onTurn={turn} onChoose={setChosen} />}
          />
        )}
      </section>
      {detail && <CallDetail call={detail} onClose={close} />}
    </Page>
  )
}

/** What else than a tool a call may ask for. */
const kinds = {
  prompt: 'kindOfPrompt',
  resource: 'kindOfResource',
  completion: 'kindOfCompletion',
  other: 'kindOfOther',
} as const

interface RowProps {
  readonly row: CallRow
  onTurn(script: LoggedCall): void
  onChoose(call: LoggedCall): void
}

/** A call, with what folds its own away where it is a script. */
const Row = ({ row: { call, inner, isInner, isOpen }, onTurn, onChoose }: RowProps) => {
  const say = useTexts(scriptWords)
  return (
    <div className={isInner ? 'call-row inner' : 'call-row'}>
      {inner && inner.length > 0 && (
        <button
          type="button"
          className="fold"
          aria-expanded={isOpen}
          aria-label={isOpen ? say('hideInner') : say('showInner', { n: inner.length })}
          onClick={() => onTurn(call)}
        >
          {isOpen ? '▾' : '▸'}
        </button>
      )}
      <CallLine call={call} onChoose={onChoose} />
    </div>
  )
}

const CallLine = ({ call, onChoose }: { readonly call: LoggedCall; onChoose(call: LoggedCall): void }) => {
  const say = useTexts()
  const language = useLanguage()
  return (
    <button type="button" className="call-line" onClick={() => onChoose(call)}>
      <span className="muted mono">{formatTime(call.at, language)}</span>
      <span className="strong mono clip">
        {call.kind !== 'tool' && <span className="muted">{say(kinds[call.kind])} </span>}
        {call.step !== undefined && <span className="muted">#{stepOf(call)} </span>}
        {call.tool}
      </span>
      <span className="muted mono clip caller">{call.caller}</span>
      <Badge tone={call.ok ? 'good' : 'bad'}>{call.ok ? say('answered') : call.code}</Badge>
      <span className="muted mono end">{formatMs(call.latencyMs)}</span>
    </button>
  )
}

/** The same call with its client, profile and sizes; both know it by the moment at which it ended. */
const keptAs = ({ tool, at }: LoggedCall): string =>
  hrefOf('history', undefined, { tool, from: String(at - 1000), until: String(at + 1000) })

const CallDetail = ({ call, onClose }: { readonly call: LoggedCall; onClose(): void }) => {
  const say = useTexts({ ...scriptWords, ...historyWords })
  const language = useLanguage()
  return (
    <Dialog title={say('callDetail', { n: call.n })} onClose={onClose}>
      <dl className="facts-list">
        <dt>{say(call.kind === 'tool' ? 'tool' : kinds[call.kind])}</dt>
        <dd>
          {call.kind === 'tool' ? (
            <a href={hrefOf('tools', call.tool)} onClick={onClose} className="mono">
              {call.tool}
            </a>
          ) : (
            <span className="mono">{call.tool}</span>
          )}
        </dd>
        <dt>{say('source')}</dt>
        <dd>{call.source ?? '—'}</dd>
        <dt>{say('caller')}</dt>
        <dd className="mono">{call.caller}</dd>
        {call.run !== undefined && <OfScript call={call} />}
        {call.replica !== undefined && (
          <>
            <dt>{say('replica')}</dt>
            <dd className="mono">{call.replica}</dd>
          </>
        )}
        <dt>{say('time')}</dt>
        <dd>
          {formatMoment(call.at, language)} <a href={keptAs(call)}>{say('inHistory')}</a>
        </dd>
        <dt>{say('took')}</dt>
        <dd>{formatMs(call.latencyMs)}</dd>
        <dt>{say('attempts')}</dt>
        <dd>{call.attempts}</dd>
        <dt>{say('cached')}</dt>
        <dd>{say(call.cached ? 'yes' : 'no')}</dd>
        <dt>{say('outcome')}</dt>
        <dd>
          <Badge tone={call.ok ? 'good' : 'bad'}>{call.ok ? say('answered') : call.code}</Badge>
          {call.message && (
            <p>
              <ErrorText code={call.code} message={call.message} facts={{ tool: call.tool, source: call.source }} />
            </p>
          )}
        </dd>
      </dl>
      {call.steps && <Steps steps={call.steps} />}
    </Dialog>
  )
}

/** The script that made it, or what it was. */
const OfScript = ({ call: { run, step, script } }: { readonly call: LoggedCall }) => {
  const say = useTexts(scriptWords)
  return (
    <>
      <dt>{say(script ? 'script' : 'inScript')}</dt>
      <dd>
        <a href={hrefOf('calls', run)} className="mono">
          {run}
        </a>
        {step !== undefined && ` #${step}`}
      </dd>
      {script && (
        <>
          <dt>{say('scriptText')}</dt>
          <dd className="mono break">
            {script.sha256} · {say('scriptBytes', { n: formatCount(script.bytes) })}
          </dd>
        </>
      )}
    </>
  )
}

const Steps = ({ steps }: { readonly steps: NonNullable<LoggedCall['steps']> }) => {
  const say = useTexts()
  const longest = Math.max(...steps.map(({ ms }) => ms), 0.001)
  return (
    <section className="steps">
      <h3>{say('whereTime')}</h3>
      <ol>
        {steps.map(({ name, ms }) => (
          <li key={name} className="step">
            <span className="mono">{name}</span>
            <meter min={0} max={longest} value={ms} aria-label={`${name}: ${formatMs(ms)}`} />
            <span className="mono end">{ms < 10 ? `${ms.toFixed(2)} ms` : formatMs(ms)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

const fits = (call: LoggedCall, words: string, outcome: string): boolean => {
  if (outcome !== 'all' && call.ok !== (outcome === 'ok')) return false
  const where =
    `${call.tool} ${call.source ?? ''} ${call.caller} ${call.code ?? ''} ${call.replica ?? ''} ${call.run ?? ''}`.toLowerCase()
  return where.includes(words.trim().toLowerCase())
}

const isRun = (item: string | undefined): item is string => item?.startsWith('r_') ?? false

const narrow = matchMedia('(max-width: 820px)')

const subscribe = (listener: () => void): (() => void) => {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** Whether the page is as narrow as a phone; the width is that of the styles. */
const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches)
