import { lazy, Suspense, useState } from 'react'
import type { ToolDetail } from '../../../src/faces/admin/tools.js'
import { segment } from '../api/client.js'
import { refresh, useLive } from '../api/live.js'
import { useLoad } from '../api/use-load.js'
import { formatAgo, formatCount, formatMs, formatTime } from '../i18n/format.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { toolWords } from '../i18n/words-tools.js'
import { Badge } from '../parts/badge.js'
import { Json } from '../parts/code.js'
import { Findings } from '../parts/findings.js'
import { Hints } from '../parts/hints.js'
import { Icon } from '../parts/icon.js'
import { Empty, Failure, Loading } from '../parts/page.js'
import { Tabs } from '../parts/tabs.js'
import { hrefOf } from '../router.js'
import { Misfits, Standing } from './shown-standing.js'
import { ToolEffect } from './tool-effect.js'
import { ToolProfiles, ToolQuick } from './tool-quick.js'
import { ToolShown } from './tool-shown.js'

// A form for any schema is much to load for who only looks at a list.
const TryTool = lazy(async () => ({ default: (await import('./try-tool.js')).TryTool }))

/** One tool: what it says of itself, a call by hand, and what became of earlier ones. */
export const ToolPane = ({ id }: { readonly id: string }) => {
  const say = useTexts()
  const { catalog } = useLive()
  const { data: tool, error, reload } = useLoad<ToolDetail>(`/tools/${segment(id)}`, catalog)
  const [tab, setTab] = useState('try')
  if (error && !tool) return <Failure error={error} />
  if (!tool) return <Loading />
  return (
    <article className="card detail">
      <a className="back" href={hrefOf('tools')}>
        <Icon name="back" /> {say('tools')}
      </a>
      <header className="row tool-head">
        <h2 className="mono">{tool.id}</h2>
        <ToolQuick tool={tool} onSaved={() => void reload()} />
      </header>
      {tool.title && <p className="strong">{tool.title}</p>}
      <Description tool={tool} />
      <Facts tool={tool} />
      <Deeds hints={tool.hints} />
      {tool.effect && <ToolEffect effect={tool.effect} onSaid={() => void refresh()} />}
      <ToolProfiles tool={tool} onSaved={() => void reload()} />
      <Misfits misfits={tool.misfits} />
      <Findings findings={tool.findings} />
      <Tabs
        label={tool.id}
        chosen={tab}
        onChoose={setTab}
        tabs={[
          ['try', say('tryIt')],
          ['shown', say('shownAs')],
          ['definition', say('definition')],
          ['advertised', say('advertised')],
          ['history', say('history')],
        ]}
      >
        {tab === 'try' && (
          <Suspense fallback={<Loading />}>
            <TryTool tool={tool} onCalled={() => void reload()} />
          </Suspense>
        )}
        {tab === 'shown' && <ToolShown id={tool.id} onSaved={() => void reload()} />}
        {tab === 'definition' && <Json value={tool.definition} label={say('definition')} />}
        {tab === 'advertised' &&
          (tool.advertised ? (
            <Json value={tool.advertised} label={say('advertised')} />
          ) : (
            <Empty title={say('seenByNobody')} />
          ))}
        {tab === 'history' && <History tool={tool} />}
      </Tabs>
    </article>
  )
}

/** As callers read it; what its source says instead is there to compare. */
const Description = ({ tool: { advertised, definition } }: { readonly tool: ToolDetail }) => {
  const say = useTexts(toolWords)
  const own = String(definition.description ?? '—')
  const told = advertised ? String(advertised.description ?? '—') : own
  return (
    <>
      <p className="description">{told}</p>
      {told !== own && (
        <details className="muted small">
          <summary>{say('sourceSays')}</summary>
          <p className="description">{own}</p>
        </details>
      )}
    </>
  )
}

/** What else it does: whether it changes things is told below, with who may say so. */
const Deeds = ({ hints = [] }: Pick<ToolDetail, 'hints'>) => {
  const others = hints.filter(({ does, by }) => does !== 'readonly' && !(does === 'destructive' && by === 'source'))
  return (
    others.length > 0 && (
      <p className="row deeds">
        <Hints hints={others} long />
      </p>
    )
  )
}

const Facts = ({ tool }: { readonly tool: ToolDetail }) => {
  const say = useTexts()
  return (
    <p className="facts">
      <a href={hrefOf('sources', tool.source)}>{tool.source}</a>
      <span>
        {formatCount(tool.tokens)} {say('tokens')}
      </span>
      <span>{say('nUses', { n: formatCount(tool.uses) })}</span>
      <span>
        {say('lastUsed')}: {formatAgo(tool.lastUsed, say)}
      </span>
      {tool.held && <Badge tone="warn">{say('held')}</Badge>}
      <Standing tool={tool} />
      {tool.tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
    </p>
  )
}

const History = ({ tool }: { readonly tool: ToolDetail }) => {
  const say = useTexts()
  const language = useLanguage()
  if (tool.history.length === 0) return <Empty title={say('noHistory')} />
  return (
    <div className="scroll-x">
      <table>
        <thead>
          <tr>
            <th>{say('time')}</th>
            <th>{say('outcome')}</th>
            <th>{say('took')}</th>
            <th>{say('caller')}</th>
          </tr>
        </thead>
        <tbody>
          {[...tool.history].reverse().map((call) => (
            <tr key={call.n}>
              <td>{formatTime(call.at, language)}</td>
              <td>
                <Badge tone={call.ok ? 'good' : 'bad'}>{call.ok ? say('answered') : call.code}</Badge>
              </td>
              <td>{formatMs(call.latencyMs)}</td>
              <td className="mono">{call.caller}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
