import { useEffect, useRef, useState } from 'react'
import type { Me } from '../../src/faces/admin/overview.js'
import { useLive } from './api/live.js'
import { usePair, useTexts } from './i18n/texts.js'
import mark from './mark.svg'
import { pages } from './pages.js'
import { Palette } from './palette.js'
import { Button } from './parts/button.js'
import { Icon } from './parts/icon.js'
import { hrefOf, type Place, usePlace } from './router.js'

const groups = ['observe', 'board', 'control'] as const

/** The frame around every page: where one can go, and whether what is shown is live. */
export const Shell = ({ me, onLeave }: { readonly me: Me; onLeave(): void }) => {
  const say = useTexts()
  const place = usePlace()
  const { connected } = useLive()
  const [open, setOpen] = useState(false)
  const [asking, setAsking] = useState(false)
  const main = useRef<HTMLElement>(null)
  usePaletteKey(() => setAsking(true))
  // biome-ignore lint/correctness/useExhaustiveDependencies: each place begins at its top, with the menu closed
  useEffect(() => {
    setOpen(false)
    main.current?.scrollTo(0, 0)
  }, [place.page])
  return (
    <div className={`shell${open ? ' open' : ''}`}>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {say('skip')}
      </button>
      <header className="bar">
        <Button kind="quiet" icon="menu" label={say('menu')} onClick={() => setOpen(!open)} />
        <span className="brand">Pegboard</span>
        <Button kind="quiet" icon="search" label={say('go')} onClick={() => setAsking(true)} />
      </header>
      <nav className="side" aria-label={say('navigation')}>
        <a className="brand" href={hrefOf('overview')}>
          <img src={mark} alt="" width={26} height={26} />
          Pegboard
        </a>
        <button type="button" className="ask" onClick={() => setAsking(true)}>
          <Icon name="search" />
          <span>{say('go')}</span>
          <kbd>{navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
        <Menu place={place} />
        <p className={`live ${connected ? 'on' : 'off'}`} role="status">
          <span className="dot" />
          {connected ? `${say('live')} · v${me.version}` : say('offline')}
        </p>
      </nav>
      <main id="main" ref={main} tabIndex={-1}>
        {(pages.find(({ name }) => name === place.page) ?? pages[0]).show({ item: place.item, me, onLeave })}
      </main>
      {asking && <Palette onClose={() => setAsking(false)} />}
    </div>
  )
}

const Menu = ({ place }: { readonly place: Place }) => {
  const say = useTexts()
  const read = usePair()
  const live = useLive()
  return groups.map((group) => (
    <div key={group}>
      <p className="group">{say(group)}</p>
      <ul>
        {pages
          .filter((page) => page.group === group && (page.isShown?.(live) ?? true))
          .map(({ name, icon, title, waiting }) => (
            <li key={name}>
              <a href={hrefOf(name)} aria-current={place.page === name ? 'page' : undefined}>
                <Icon name={icon} />
                {read(title)}
                {waiting && waiting(live) > 0 && <span className="count">{waiting(live)}</span>}
              </a>
            </li>
          ))}
      </ul>
    </div>
  ))
}

const usePaletteKey = (open: () => void): void => {
  const latest = useRef(open)
  latest.current = open
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
