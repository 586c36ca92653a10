import type { ReactNode } from 'react'
import type { HistoryCall, HistoryEntry } from '../../../src/faces/admin/history.js'
import { ApiError } from '../api/client.js'
import { useLoad } from '../api/use-load.js'
import { formatCount, formatMoment, formatMs } from '../i18n/format.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { historyWords } from '../i18n/words-history.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Code, CopyButton } from '../parts/code.js'
import { Dialog } from '../parts/dialog.js'
import { ErrorText } from '../parts/error-text.js'
import { Failure, Loading } from '../parts/page.js'
import { hrefOf } from '../router.js'

export interface HistoryCallProps {
  readonly id: string
  onReplay(): void
  onClose(): void
}

/** One kept call, with what was said in it where that was kept. */
export const KeptCall = ({ id, onReplay, onClose }: HistoryCallProps) => {
  const say = useTexts(historyWords)
  const { data, error } = useLoad<HistoryEntry>(`/history/${encodeURIComponent(id)}`)
  return (
    <Dialog title={say('oneCall')} onClose={onClose} wide>
      {error && (error instanceof ApiError && error.status === 404 ? <p>{say('gone')}</p> : <Failure error={error} />)}
      {!data && !error && <Loading />}
      {data && (
        <>
          <Facts call={data.call} />
          <Spent call={data.call} />
          <Values entry={data} />
          <footer>
            <span className="row">
              <span className="muted small">{say('permalink')}</span>
              <CopyButton text={`${location.origin}${location.pathname}${hrefOf('history', id)}`} />
            </span>
            <Button right="operate" disabled={!data.call.hasValues} onClick={onReplay}>
              {say('replay')}
            </Button>
          </footer>
        </>
      )}
    </Dialog>
  )
}

export const OutcomeBadge = ({ call }: { readonly call: HistoryCall }) => {
  const say = useTexts(historyWords)
  if (!call.ok) return <Badge tone="bad">{call.code}</Badge>
  return call.isError ? <Badge tone="warn">{say('itFailed')}</Badge> : <Badge tone="good">{say('answered')}</Badge>
}

const Facts = ({ call }: { readonly call: HistoryCall }) => {
  const say = useTexts(historyWords)
  const language = useLanguage()
  const client = call.client && `${call.client}${call.clientVersion ? ` ${call.clientVersion}` : ''}`
  const rows: readonly (readonly [string, ReactNode])[] = [
    [say('tool'), <Asked key="tool" call={call} />],
    [say('source'), call.source],
    [say('outcome'), <OutcomeBadge key="outcome" call={call} />],
    [
      '',
      call.message && (
        <ErrorText code={call.code} message={call.message} facts={{ tool: call.tool, source: call.source }} />
      ),
    ],
    [say('time'), formatMoment(call.at, language)],
    [say('took'), formatMs(call.latencyMs)],
    [say('client'), client],
    [say('caller'), call.callerName ?? call.caller],
    [say('profile'), call.profile],
    [say('protocol'), call.protocol],
    [say('way'), call.face],
    [say('replica'), call.replica],
    [
      say('sizes'),
      call.argumentBytes !== undefined || call.resultBytes !== undefined
        ? say('sizesOf', { in: formatCount(call.argumentBytes ?? 0), out: formatCount(call.resultBytes ?? 0) })
        : undefined,
    ],
    [
      say('tokensMoved'),
      call.argumentTokens !== undefined || call.resultTokens !== undefined
        ? say('tokensNote', { in: formatCount(call.argumentTokens ?? 0), out: formatCount(call.resultTokens ?? 0) })
        : undefined,
    ],
    [say('attempts'), call.attempts > 1 ? call.attempts : undefined],
    [say('cached'), call.cached ? say('yes') : undefined],
    [say('cost'), call.cost],
    [say('rule'), call.rule],
    [say('approvedBy'), call.grant],
  ]
  return (
    <dl className="facts-list">
      {rows
        .filter(([, value]) => value !== undefined && value !== '')
        .map(([name, value], index) => [
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows stand in one order
          <dt key={`name ${index}`}>{name}</dt>,
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows stand in one order
          <dd key={`value ${index}`}>{value}</dd>,
        ])}
    </dl>
  )
}

/** What was called; a tool can be looked at. */
const Asked = ({ call: { kind, tool } }: { readonly call: HistoryCall }) =>
  kind === 'tool' ? (
    <a href={hrefOf('tools', tool)} className="mono">
      {tool}
    </a>
  ) : (
    <span className="mono">{tool}</span>
  )

/** Where the time went. */
const Spent = ({ call: { spent, latencyMs } }: { readonly call: HistoryCall }) => {
  const say = useTexts(historyWords)
  const parts = [
    [say('spentWaiting'), spent.waitingMs],
    [say('spentSource'), spent.sourceMs],
    [say('spentOwn'), spent.ownMs],
  ] as const
  return (
    <section className="steps">
      <h3>{say('whereTime')}</h3>
      <ol>
        {parts.map(([name, ms]) => (
          <li key={name} className="step">
            <span>{name}</span>
            <meter min={0} max={Math.max(latencyMs, 0.001)} value={ms} aria-label={`${name}: ${formatMs(ms)}`} />
            <span className="mono end">{ms < 10 ? `${ms.toFixed(2)} ms` : formatMs(ms)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

const Values = ({ entry }: { readonly entry: HistoryEntry }) => {
  const say = useTexts(historyWords)
  if (entry.values !== 'shown')
    return <p className="muted">{say(entry.values === 'none' ? 'valuesNone' : 'valuesWithheld')}</p>
  return (
    <>
      <Value label={say('arguments')} kept={entry.arguments} />
      <Value label={say('result')} kept={entry.result} />
    </>
  )
}

const Value = ({ label, kept }: { readonly label: string; readonly kept: HistoryEntry['arguments'] }) => {
  const say = useTexts(historyWords)
  if (!kept) return null
  const { value, bytes, cut } = kept
  return (
    <section className="kept-value">
      <h3>{label}</h3>
      <Code text={typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')} label={label} />
      {cut && <p className="muted small">{say('valueCut', { n: formatCount(bytes) })}</p>}
    </section>
  )
}
