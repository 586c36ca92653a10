import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { ToolsAnswer } from '../../../src/faces/admin/tools.js'
import { useLoad } from '../api/use-load.js'
import { formatCount } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import { connectWords } from '../i18n/words-connect.js'
import { Loading } from '../parts/page.js'
import { Rows } from '../parts/rows.js'
import { groupsOf, type PickRules, pickedBy, withPicks } from './profile-picks.js'

export interface ProfileTreeProps {
  readonly rules: PickRules
  onChange(rules: PickRules): void
}

type TreeRow =
  | {
      readonly kind: 'group'
      readonly source: string
      readonly ids: readonly string[]
      readonly on: number
      readonly folded: boolean
    }
  | { readonly kind: 'tool'; readonly id: string; readonly tokens: number; readonly on: boolean }

const heightOf = (row: TreeRow): number => (row.kind === 'group' ? 34 : 30)
const keyOf = (row: TreeRow): string => (row.kind === 'group' ? `\0${row.source}` : row.id)

/** Sources and tools to tick; what is written is patterns. */
export const ProfileTree = ({ rules, onChange }: ProfileTreeProps) => {
  const say = useTexts(connectWords)
  const { data } = useLoad<ToolsAnswer>('/tools')
  const [words, setWords] = useState('')
  const wanted = useDeferredValue(words.toLowerCase().trim())
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const tools = useMemo(() => data?.tools.filter(({ held }) => !held) ?? [], [data])
  const groups = useMemo(() => groupsOf(tools), [tools])
  const tokens = useMemo(() => new Map(tools.map((tool) => [tool.id, tool.tokens])), [tools])
  const picked = useMemo(() => pickedBy(rules, tools), [rules, tools])
  const rows = useMemo(
    () =>
      groups.flatMap(({ source, ids }): readonly TreeRow[] => {
        const isNamed = source.toLowerCase().includes(wanted)
        const found = wanted === '' || isNamed ? ids : ids.filter((id) => id.toLowerCase().includes(wanted))
        if (found.length === 0) return []
        const folded = !open.has(source) && (wanted === '' || isNamed)
        const on = found.filter((id) => picked.has(id)).length
        const group: TreeRow = { kind: 'group', source, ids: found, on, folded }
        if (folded) return [group]
        const below = found.map(
          (id) => ({ kind: 'tool', id, tokens: tokens.get(id) ?? 0, on: picked.has(id) }) as const,
        )
        return [group, ...below]
      }),
    [groups, wanted, open, picked, tokens],
  )
  if (!data) return <Loading />
  const tick = (ids: readonly string[], on: boolean): void => onChange(withPicks(rules, tools, ids, on))
  const fold = (source: string): void => {
    const next = new Set(open)
    if (!next.delete(source)) next.add(source)
    setOpen(next)
  }
  return (
    <div className="field profile-tree">
      <span className="row">
        <span className="strong small">{say('whatItShows')}</span>
        <span className="muted small end" role="status">
          {say('nOfM', { n: formatCount(picked.size), all: formatCount(tools.length) })}
        </span>
      </span>
      <input
        type="search"
        aria-label={say('filterTools')}
        placeholder={say('filterTools')}
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
      <div className="rows-box tree-box">
        <Rows
          rows={rows}
          rowHeight={heightOf}
          label={say('whatItShows')}
          keyOf={keyOf}
          render={(row) =>
            row.kind === 'group' ? (
              <Group row={row} onFold={() => fold(row.source)} onTick={(on) => tick(row.ids, on)} />
            ) : (
              <label className="tree-line tool">
                <input type="checkbox" checked={row.on} onChange={({ target }) => tick([row.id], target.checked)} />
                <span className="mono clip">{row.id}</span>
                <span className="muted small end">{row.tokens}</span>
              </label>
            )
          }
        />
      </div>
      <p className="hint">{say('pickHint')}</p>
    </div>
  )
}

interface GroupProps {
  readonly row: TreeRow & { readonly kind: 'group' }
  onFold(): void
  onTick(on: boolean): void
}

const Group = ({ row, onFold, onTick }: GroupProps) => {
  const say = useTexts(connectWords)
  const box = useRef<HTMLInputElement>(null)
  const isSome = row.on > 0 && row.on < row.ids.length
  useEffect(() => {
    box.current!.indeterminate = isSome
  }, [isSome])
  return (
    <div className="tree-line">
      <button
        type="button"
        className="tree-fold"
        aria-expanded={!row.folded}
        aria-label={say('foldGroup', { source: row.source })}
        onClick={onFold}
      >
        {row.folded ? '▸' : '▾'}
      </button>
      <label className="tree-line">
        <input
          ref={box}
          type="checkbox"
          checked={row.on === row.ids.length}
          onChange={() => onTick(row.on < row.ids.length)}
        />
        <span className="strong clip">{row.source}</span>
        <span className="muted small end">{say('nOfM', { n: row.on, all: row.ids.length })}</span>
      </label>
    </div>
  )
}
