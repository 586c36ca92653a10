import type { LoggedCall, Minute } from '../../../src/faces/admin/calls.js'
import type { ProfileCost } from '../../../src/faces/admin/profiles.js'
import type { SourceRow } from '../../../src/faces/admin/sources.js'
import { useLive } from '../api/live.js'
import { formatCount, formatMs, formatTime } from '../i18n/format.js'
import { tellState } from '../i18n/states.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { historyWords } from '../i18n/words-history.js'
import { State } from '../parts/badge.js'
import { ErrorText } from '../parts/error-text.js'
import { Figure } from '../parts/figure.js'
import { Icon } from '../parts/icon.js'
import { Card, Empty, Loading, Page } from '../parts/page.js'
import { Reason } from '../parts/reason.js'
import { hrefOf } from '../router.js'
import { OverviewCalls } from './overview-calls.js'
import { inOrder } from './source-order.js'

/** What is there, what is wrong, and what it costs. */
export const Overview = () => {
  const say = useTexts()
  const { overview, sources, minutes, calls, held, tools, away } = useLive()
  if (!overview) return <Loading />
  const failures = calls
    .filter(({ ok }) => !ok)
    .slice(-6)
    .reverse()
  const usual = inOrder(
    sources.filter(({ configured, kind }) => configured || kind === 'functions'),
    'state',
  )
  return (
    <Page title={say('overview')}>
      {held > 0 && (
        <a className="notice warn banner" href={hrefOf('approvals')}>
          <Icon name="warn" />
          <span>{say('waitingApproval', { n: held })}</span>
          <strong>{say('look')}</strong>
        </a>
      )}
      {away.length > 0 && (
        <a className="notice warn banner" href={hrefOf('fleet')}>
          <Icon name="warn" />
          <span>{say('awayN', { names: away.join(', ') })}</span>
          <strong>{say('look')}</strong>
        </a>
      )}
      {sources.every(({ configured }) => !configured) && <Begin />}
      <Figures sources={usual} minutes={minutes} tools={tools} held={held} profile={overview.profile} />
      <OverviewCalls minutes={minutes} />
      <div className="columns">
        <Card title={say('sources')}>
          <SourceList sources={usual} />
        </Card>
        <Card title={say('recentFailures')}>
          <Failures failures={failures} />
        </Card>
      </div>
    </Page>
  )
}

/** For a board that has nothing but what came with it. */
const Begin = () => {
  const say = useTexts()
  return (
    <section className="card begin">
      <p>{say('beginLead')}</p>
      <p className="row">
        <a className="button main" href={hrefOf('import')}>
          <Icon name="import" />
          {say('importFromClients')}
        </a>
        <a className="button plain" href={hrefOf('sources')}>
          {say('addSource')}
        </a>
        <a className="button plain" href={hrefOf('settings')}>
          {say('connect')}
        </a>
      </p>
    </section>
  )
}

interface FiguresProps {
  readonly sources: readonly SourceRow[]
  readonly minutes: readonly Minute[]
  readonly tools: number
  readonly held: number
  readonly profile: ProfileCost | undefined
}

const Figures = ({ sources, minutes, tools, held, profile }: FiguresProps) => {
  const say = useTexts(historyWords)
  const language = useLanguage()
  const total = minutes.reduce((sum, { calls }) => sum + calls, 0)
  const errors = minutes.reduce((sum, minute) => sum + minute.errors, 0)
  const ms = minutes.reduce((sum, { totalMs }) => sum + totalMs, 0)
  const slowest = Math.max(0, ...minutes.map(({ maxMs }) => maxMs))
  const enabled = sources.filter((source) => source.enabled)
  const ready = enabled.filter(({ state }) => state === 'ready').length
  const saved = profile ? profile.flatTokens - profile.tokens : 0
  return (
    <div className="figures">
      <Figure name={say('sourcesReady')} value={formatCount(ready)} bad={ready < enabled.length}>
        {say('ofN', { n: enabled.length })}
      </Figure>
      <Figure name={say('toolsOnBoard')} value={formatCount(tools)}>
        {held > 0
          ? say('heldN', { n: held })
          : profile && say('seenAs', { how: tellState(profile.exposure, language) })}
      </Figure>
      <Figure name={say('calls')} value={formatCount(total)}>
        {say('lastHour')}
      </Figure>
      <Figure name={say('errors')} value={formatCount(errors)} bad={errors > 0}>
        {say('errorRate', { n: total === 0 ? 0 : ((errors / total) * 100).toFixed(1) })}
      </Figure>
      <Figure name={say('meanTime')} value={total === 0 ? '–' : formatMs(ms / total)}>
        {total > 0 && say('slowest', { n: formatMs(slowest) })}
      </Figure>
      {profile && (
        <Figure name={say('tokensSaved')} value={formatCount(Math.max(0, saved))}>
          {saved > 0
            ? say('tokensInstead', { shown: formatCount(profile.tokens), flat: formatCount(profile.flatTokens) })
            : say('allShown', { shown: formatCount(profile.tokens) })}
        </Figure>
      )}
    </div>
  )
}

const SourceList = ({ sources }: { readonly sources: readonly SourceRow[] }) => {
  const say = useTexts()
  if (sources.length === 0) return <Empty title={say('noSources')} />
  return (
    <ul className="plain-list">
      {sources.map((source) => (
        <li key={source.name}>
          <a href={hrefOf('sources', source.name)} className="source-line">
            <span className="strong">{source.name}</span>
            <State state={source.state} />
            <span className="muted end">{say('nTools', { n: source.tools })}</span>
            {source.reason && (
              <span className="why">
                <Reason reason={source.reason} retryAt={source.nextRetryAt} />
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  )
}

const Failures = ({ failures }: { readonly failures: readonly LoggedCall[] }) => {
  const say = useTexts()
  const language = useLanguage()
  if (failures.length === 0) return <Empty title={say('noFailures')} />
  return (
    <ul className="plain-list">
      {failures.map((call) => (
        <li key={`${call.replica ?? ''} ${call.n}`} className="failure">
          <span className="strong mono">{call.tool}</span>
          <span className="muted end">{formatTime(call.at, language)}</span>
          <span className="why">
            <code>{call.code}</code>{' '}
            <ErrorText code={call.code} message={call.message ?? ''} facts={{ tool: call.tool, source: call.source }} />
          </span>
        </li>
      ))}
    </ul>
  )
}
