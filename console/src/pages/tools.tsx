import { useDeferredValue, useState } from 'react'
import type { ToolRow, ToolsAnswer } from '../../../src/faces/admin/tools.js'
import { useLive } from '../api/live.js'
import { useLoad } from '../api/use-load.js'
import { formatCount } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import { Badge } from '../parts/badge.js'
import { Empty, Failure, Loading, Page } from '../parts/page.js'
import { Rows } from '../parts/rows.js'
import { hrefOf } from '../router.js'
import { AbsentOverrides, Standing } from './shown-standing.js'
import { ToolPane } from './tool-pane.js'

/** Every tool beside the one that is looked at. */
export const Tools = ({ item }: { readonly item: string | undefined }) => {
  const say = useTexts()
  const { catalog } = useLive()
  const { data, error } = useLoad<ToolsAnswer>('/tools', catalog)
  const [words, setWords] = useState('')
  const wanted = useDeferredValue(words)
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  const rows = data.tools.filter((tool) => fits(tool, wanted))
  const shown =
    rows.length === data.tools.length
      ? say('nTools', { n: formatCount(rows.length) })
      : say('nShown', { n: formatCount(rows.length), all: formatCount(data.tools.length) })
  return (
    <Page title={say('tools')}>
      <AbsentOverrides ids={data.absent} />
      <div className={`split${item === undefined ? '' : ' has-item'}`}>
        <section className="card list-pane">
          <input
            type="search"
            aria-label={say('filterTools')}
            placeholder={say('filterTools')}
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
          <p className="muted small" role="status">
            {shown}
          </p>
          {rows.length === 0 ? (
            <Empty title={say('nothingFound')} />
          ) : (
            <Rows
              rows={rows}
              rowHeight={60}
              start={rows.findIndex(({ id }) => id === item)}
              label={say('tools')}
              keyOf={({ id }) => id}
              render={(tool) => <ToolLine tool={tool} chosen={tool.id === item} />}
            />
          )}
        </section>
        {item === undefined ? <Empty title={say('chooseTool')} /> : <ToolPane key={item} id={item} />}
      </div>
    </Page>
  )
}

const ToolLine = ({ tool, chosen }: { readonly tool: ToolRow; readonly chosen: boolean }) => {
  const say = useTexts()
  return (
    <a className="tool-line" href={hrefOf('tools', tool.id)} aria-current={chosen ? 'true' : undefined}>
      <span className="strong mono clip">{tool.id}</span>
      <span className="badges">
        <Standing tool={tool} />
        {tool.held ? (
          <Badge tone="warn">{say('held')}</Badge>
        ) : (
          tool.temperature !== 'cold' && <Badge tone="accent">{tool.temperature}</Badge>
        )}
      </span>
      <span className="muted clip summary">{tool.summary || tool.title || '—'}</span>
      <span className="muted small end">
        {tool.tokens} {say('tokens')}
      </span>
    </a>
  )
}

const fits = ({ id, title = '', source, summary, shownAs = '' }: ToolRow, words: string): boolean => {
  if (words.trim() === '') return true
  const where = `${id} ${title} ${source} ${summary} ${shownAs}`.toLowerCase()
  return words
    .toLowerCase()
    .trim()
    .split(/\s+/)
    .every((word) => where.includes(word))
}
