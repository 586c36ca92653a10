import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { ToolsAnswer } from '../../src/faces/admin/tools.js'
import { useLive } from './api/live.js'
import { useLoad } from './api/use-load.js'
import { usePair, useTexts } from './i18n/texts.js'
import { usePages } from './pages.js'
import { type Drawing, Icon } from './parts/icon.js'
import { useMay } from './parts/may.js'
import { go } from './router.js'

interface Entry {
  readonly icon: Drawing
  readonly text: string
  readonly page: string
  readonly item?: string
}

const mostShown = 12

/** Ctrl-K: a few letters instead of a walk through the menu. */
export const Palette = ({ onClose }: { onClose(): void }) => {
  const say = useTexts()
  const { sources } = useLive()
  const tools = useLoad<ToolsAnswer>(useMay()('look') ? '/tools' : undefined).data?.tools ?? []
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState(0)
  const box = useRef<HTMLDialogElement>(null)
  const list = useId()
  useEffect(() => {
    if (!box.current?.open) box.current?.showModal()
  }, [])
  const read = usePair()
  const own: readonly Entry[] = usePages().map(({ name, icon, title }) => ({ icon, text: read(title), page: name }))
  const entries = useMemo(
    (): readonly Entry[] => [
      ...sources
        .filter(({ configured }) => configured)
        .map(({ name }) => ({ icon: 'sources' as const, text: name, page: 'sources', item: name })),
      ...tools.map(({ id }) => ({ icon: 'tools' as const, text: id, page: 'tools', item: id })),
    ],
    [sources, tools],
  )
  const found = [...own, ...entries].filter((entry) => fits(entry, words)).slice(0, mostShown)
  const open = (entry: Entry | undefined): void => {
    if (!entry) return
    go(entry.page, entry.item)
    onClose()
  }
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setChosen((chosen + step + found.length) % Math.max(1, found.length))
    } else if (event.key === 'Enter') open(found[chosen])
  }
  return (
    <dialog ref={box} className="palette" aria-label={say('go')} onClose={onClose}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={found[chosen] ? `${list}-${chosen}` : undefined}
        aria-label={say('go')}
        placeholder={say('go')}
        value={words}
        onKeyDown={onKey}
        onChange={({ target }) => {
          setWords(target.value)
          setChosen(0)
        }}
      />
      <div id={list} role="listbox" aria-label={say('goHint')}>
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the field above, which keeps the focus
          <div
            key={`${entry.page}/${entry.item ?? ''}`}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => open(entry)}
          >
            <Icon name={entry.icon} />
            {entry.text}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="muted">{say('nothingFound')}</p>}
    </dialog>
  )
}

const fits = ({ text, page }: Entry, words: string): boolean => {
  const where = `${text} ${page}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => where.includes(word))
}
