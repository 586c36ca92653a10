import { useDeferredValue, useMemo, useState } from 'react'
import type { ProfilesAnswer } from '../../../src/faces/admin/profiles.js'
import type { ToolRow, ToolsAnswer } from '../../../src/faces/admin/tools.js'
import { segment } from '../api/client.js'
import { refresh, useLive } from '../api/live.js'
import { switchTool } from '../api/tool-switch.js'
import { useLoad } from '../api/use-load.js'
import { formatCount } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import { toolWords } from '../i18n/words-tools.js'
import { Badge } from '../parts/badge.js'
import { Hints } from '../parts/hints.js'
import { useMay } from '../parts/may.js'
import { Empty, Failure, Loading, Page } from '../parts/page.js'
import { Rows } from '../parts/rows.js'
import { Switch } from '../parts/switch.js'
import { attempt } from '../parts/toast.js'
import { hrefOf } from '../router.js'
import { AbsentOverrides, Standing } from './shown-standing.js'
import { ToolFilters } from './tool-filters.js'
import { filtered, grouped, noFilter, type ToolListRow } from './tool-groups.js'
import { ToolPane } from './tool-pane.js'

const heightOf = (row: ToolListRow): number => (row.kind === 'group' ? 36 : 58)
const keyOf = (row: ToolListRow): string => (row.kind === 'group' ? `\0${row.source}` : row.tool.id)

/** Every tool, by source, beside the one that is looked at. */
export const Tools = ({ item }: { readonly item: string | undefined }) => {
  const say = useTexts(toolWords)
  const { catalog } = useLive()
  const [profile, setProfile] = useState('')
  const path = profile === '' ? '/tools' : `/tools?profile=${segment(profile)}`
  const { data, error, reload } = useLoad<ToolsAnswer>(path, catalog)
  const profiles = useLoad<ProfilesAnswer>('/profiles').data?.profiles ?? []
  const [filter, setFilter] = useState(noFilter)
  const wanted = useDeferredValue(filter)
  const [folded, setFolded] = useState<ReadonlySet<string>>(none)
  const tools = data?.tools ?? nothing
  const found = useMemo(() => filtered(tools, wanted), [tools, wanted])
  // The one that is looked at is never hidden in a folded source.
  const opened = tools.find(({ id }) => id === item)?.source
  const rows = useMemo(() => {
    const closed = opened === undefined ? folded : new Set([...folded].filter((each) => each !== opened))
    return grouped(found, closed)
  }, [found, folded, opened])
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  const sources = [...new Set(tools.map(({ source }) => source))].sort()
  const shown =
    found.length === tools.length
      ? say('nTools', { n: formatCount(found.length) })
      : say('nShown', { n: formatCount(found.length), all: formatCount(tools.length) })
  const fold = (source: string): void => {
    const next = new Set(folded)
    if (!next.delete(source)) next.add(source)
    setFolded(next)
  }
  const flip = async (tool: ToolRow, on: boolean): Promise<void> => {
    const done = say(on ? 'switchedOn' : 'switchedOff', { id: tool.id })
    await attempt(() => switchTool(tool.id, profile || undefined, on), done)
    await reload()
    await refresh()
  }
  return (
    <Page title={say('tools')}>
      <AbsentOverrides ids={data.absent} />
      <div className={`split${item === undefined ? '' : ' has-item'}`}>
        <section className="card list-pane">
          <ToolFilters
            filter={filter}
            onFilter={setFilter}
            sources={sources}
            profile={profile}
            profiles={profiles.map(({ name }) => name)}
            onProfile={setProfile}
          />
          <p className="row muted small" role="status">
            {shown}
            {sources.length > 1 && (
              <button
                type="button"
                className="link end"
                onClick={() => setFolded(folded.size > 0 ? none : new Set(sources))}
              >
                {say(folded.size > 0 ? 'unfoldAll' : 'foldAll')}
              </button>
            )}
          </p>
          {rows.length === 0 ? (
            <Empty title={say('nothingFound')} />
          ) : (
            <Rows
              rows={rows}
              rowHeight={heightOf}
              at={item}
              label={say('tools')}
              keyOf={keyOf}
              render={(row) =>
                row.kind === 'group' ? (
                  <Group row={row} onFold={() => fold(row.source)} />
                ) : (
                  <ToolLine
                    tool={row.tool}
                    chosen={row.tool.id === item}
                    profile={profile}
                    onFlip={(on) => void flip(row.tool, on)}
                  />
                )
              }
            />
          )}
        </section>
        {item === undefined ? <Empty title={say('chooseTool')} /> : <ToolPane key={item} id={item} />}
      </div>
    </Page>
  )
}

const none: ReadonlySet<string> = new Set()
const nothing: readonly ToolRow[] = []

const Group = ({ row, onFold }: { readonly row: ToolListRow & { kind: 'group' }; onFold(): void }) => {
  const say = useTexts(toolWords)
  return (
    <button type="button" className="tool-group" aria-expanded={!row.folded} onClick={onFold}>
      <span aria-hidden="true" className="fold-mark">
        {row.folded ? '▸' : '▾'}
      </span>
      <span className="strong clip">{row.source}</span>
      <span className="muted small">{formatCount(row.count)}</span>
      {row.off > 0 && <span className="muted small">· {say('nOff', { n: row.off })}</span>}
      <span className="muted small end">
        {formatCount(row.tokens)} {say('tokens')}
      </span>
    </button>
  )
}

interface ToolLineProps {
  readonly tool: ToolRow
  readonly chosen: boolean
  readonly profile: string
  onFlip(on: boolean): void
}

const ToolLine = ({ tool, chosen, profile, onFlip }: ToolLineProps) => {
  const say = useTexts(toolWords)
  const may = useMay()
  const { id, held, leftOut, shown } = tool
  const isOn = shown !== 'off' && leftOut !== true
  return (
    <div className={`tool-row${isOn ? '' : ' dim'}`}>
      <a className="tool-line" href={hrefOf('tools', id)} aria-current={chosen ? 'true' : undefined}>
        <span className="strong mono clip">{id}</span>
        <span className="badges">
          {leftOut ? <Badge>{say('notListed')}</Badge> : <Standing tool={tool} />}
          {held ? (
            <Badge tone="warn">{say('held')}</Badge>
          ) : (
            tool.temperature !== 'cold' && <Badge tone="accent">{tool.temperature}</Badge>
          )}
        </span>
        <span className="summary-line">
          <Hints hints={tool.hints} />
          <span className="muted clip summary">{tool.summary || tool.title || '—'}</span>
        </span>
        <span className="muted small end">
          {tool.tokens} {say('tokens')}
        </span>
      </a>
      {may('admin') && (
        <Switch
          right="admin"
          label={profile === '' ? say('toolIsOn', { id }) : say('toolOnFor', { id, profile })}
          on={isOn && !held}
          disabled={held || leftOut === true}
          onChange={onFlip}
        />
      )}
    </div>
  )
}
