import { useState } from 'react'
import type { PromptsAnswer, ResourcesAnswer } from '../../../src/faces/admin/offers.js'
import type { SourceDetail, SourceRow } from '../../../src/faces/admin/sources.js'
import type { ToolsAnswer } from '../../../src/faces/admin/tools.js'
import { useLive } from '../api/live.js'
import { useLoad } from '../api/use-load.js'
import { formatCount, formatMs, formatTime } from '../i18n/format.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { sourceWords } from '../i18n/words-sources.js'
import { Badge } from '../parts/badge.js'
import { Json } from '../parts/code.js'
import { Empty, Failure, Loading } from '../parts/page.js'
import { Tabs } from '../parts/tabs.js'
import { hrefOf } from '../router.js'

type Tab = 'tools' | 'calls' | 'log' | 'offers' | 'configuration'

/** What a source has, does and says: its tools, calls, log, prompts, resources and entry. */
export const SourceTabs = ({ source, detail }: { readonly source: SourceRow; readonly detail: SourceDetail }) => {
  const say = useTexts(sourceWords)
  // Of one that is not well its log says most.
  const [tab, setTab] = useState<Tab>(source.tools > 0 || detail.logs.length === 0 ? 'tools' : 'log')
  return (
    <section className="card source-tabs" aria-label={source.name}>
      <Tabs
        label={source.name}
        chosen={tab}
        onChoose={(id) => setTab(id as Tab)}
        tabs={[
          ['tools', `${say('tools')} ${formatCount(source.tools)}`],
          ['calls', say('calls')],
          ['log', say('logs')],
          ['offers', say('tabPrompts')],
          ...(detail.config ? [['configuration', say('tabConfiguration')] as const] : []),
        ]}
      >
        {tab === 'tools' && <Tools source={source.name} />}
        {tab === 'calls' && <Calls source={source.name} />}
        {tab === 'log' && <Log detail={detail} />}
        {tab === 'offers' && <Offers source={source.name} />}
        {tab === 'configuration' && <Json value={detail.config} label={say('configuration')} />}
      </Tabs>
    </section>
  )
}

const mostRows = 500

const Tools = ({ source }: { readonly source: string }) => {
  const say = useTexts(sourceWords)
  const { catalog } = useLive()
  const { data, error } = useLoad<ToolsAnswer>('/tools', catalog)
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  const tools = data.tools.filter((tool) => tool.source === source)
  if (tools.length === 0) return <Empty title={say('noToolsHere')} />
  return (
    <>
      <ul className="plain-list">
        {tools.slice(0, mostRows).map((tool) => (
          <li key={tool.id}>
            <a className="source-line" href={hrefOf('tools', tool.id)}>
              <span className="strong mono">{tool.id}</span>
              {tool.held && <Badge tone="warn">{say('held')}</Badge>}
              <span className="muted small end">
                {formatCount(tool.tokens)} {say('tokens')}
              </span>
              <span className="why clip">{tool.summary || tool.title || '—'}</span>
            </a>
          </li>
        ))}
      </ul>
      {tools.length > mostRows && (
        <p className="muted">{say('nShown', { n: formatCount(mostRows), all: formatCount(tools.length) })}</p>
      )}
    </>
  )
}

const Calls = ({ source }: { readonly source: string }) => {
  const say = useTexts(sourceWords)
  const language = useLanguage()
  const calls = useLive().calls.filter((call) => call.source === source)
  if (calls.length === 0) return <Empty title={say('noCallsHere')} />
  return (
    <>
      <div className="scroll-x">
        <table className="as-cards">
          <thead>
            <tr>
              <th>{say('time')}</th>
              <th>{say('tool')}</th>
              <th>{say('caller')}</th>
              <th>{say('outcome')}</th>
              <th>{say('took')}</th>
            </tr>
          </thead>
          <tbody>
            {calls
              .slice(-100)
              .toReversed()
              .map((call) => (
                <tr key={`${call.replica ?? ''} ${call.n}`}>
                  <td data-label={say('time')}>{formatTime(call.at, language)}</td>
                  <td className="mono" data-label={say('tool')}>
                    {call.kind === 'tool' ? <a href={hrefOf('tools', call.tool)}>{call.tool}</a> : call.tool}
                  </td>
                  <td className="mono" data-label={say('caller')}>
                    {call.caller}
                  </td>
                  <td data-label={say('outcome')}>
                    <Badge tone={call.ok ? 'good' : 'bad'}>{call.ok ? say('answered') : call.code}</Badge>
                  </td>
                  <td data-label={say('took')}>{formatMs(call.latencyMs)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
      <p>
        <a href={hrefOf('calls')}>{say('allCalls')}</a>
      </p>
    </>
  )
}

const Log = ({ detail }: { readonly detail: SourceDetail }) => {
  const say = useTexts(sourceWords)
  const language = useLanguage()
  if (detail.logs.length === 0) return <Empty title={say('noLogs')} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
    <div className="log" tabIndex={0} role="log" aria-label={say('logs')}>
      {[...detail.logs].reverse().map((line) => (
        <p key={`${line.replica ?? ''} ${line.n} ${line.at}`} className={line.level}>
          <span className="muted">{formatTime(line.at, language)}</span> {line.message}
        </p>
      ))}
    </div>
  )
}

const Offers = ({ source }: { readonly source: string }) => {
  const say = useTexts(sourceWords)
  const { catalog } = useLive()
  const prompts = useLoad<PromptsAnswer>('/prompts', catalog)
  const resources = useLoad<ResourcesAnswer>('/resources', catalog)
  const error = prompts.error ?? resources.error
  if (error) return <Failure error={error} />
  if (!prompts.data || !resources.data) return <Loading />
  const own = prompts.data.prompts.filter((row) => row.source === source)
  const readable = [...resources.data.templates, ...resources.data.resources].filter((row) => row.source === source)
  if (own.length + readable.length === 0) return <Empty title={say('noOffersHere')} />
  return (
    <div className="columns">
      {own.length > 0 && (
        <section>
          <h2>{say('nPrompts', { n: own.length })}</h2>
          <ul className="plain-list">
            {own.map((row) => (
              <Offer
                key={row.id}
                href={hrefOf('prompts', row.id)}
                name={row.name}
                about={row.description ?? row.title}
              />
            ))}
          </ul>
        </section>
      )}
      {readable.length > 0 && (
        <section>
          <h2>{say('nResources', { n: readable.length })}</h2>
          <ul className="plain-list">
            {readable.slice(0, mostRows).map((row) => (
              <Offer
                key={row.uri}
                href={hrefOf('resources', row.uri)}
                name={row.uri}
                about={row.description ?? row.name}
              />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

const Offer = (row: { readonly href: string; readonly name: string; readonly about: string | undefined }) => (
  <li>
    <a className="source-line" href={row.href}>
      <span className="strong mono break">{row.name}</span>
      {row.about && <span className="why">{row.about}</span>}
    </a>
  </li>
)
