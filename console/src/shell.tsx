import { useEffect, useRef, useState } from 'react'
import type { Me } from '../../src/faces/admin/overview.js'
import { useLive } from './api/live.js'
import { useTexts } from './i18n/texts.js'
import mark from './mark.svg'
import { Approvals } from './pages/approvals.js'
import { Calls } from './pages/calls.js'
import { Import } from './pages/import.js'
import { Keys } from './pages/keys.js'
import { Overview } from './pages/overview.js'
import { Profiles } from './pages/profiles.js'
import { Search } from './pages/search.js'
import { Settings } from './pages/settings.js'
import { Sources } from './pages/sources.js'
import { Tools } from './pages/tools.js'
import { Xiaozhi } from './pages/xiaozhi.js'
import { Palette } from './palette.js'
import { Button } from './parts/button.js'
import { Icon, type IconName } from './parts/icon.js'
import { hrefOf, type Place, usePlace } from './router.js'

export type PageName = Extract<
  IconName,
  | 'overview'
  | 'import'
  | 'sources'
  | 'tools'
  | 'search'
  | 'profiles'
  | 'calls'
  | 'approvals'
  | 'xiaozhi'
  | 'keys'
  | 'settings'
>

const groups = [
  ['observe', ['overview', 'calls', 'approvals']],
  ['board', ['sources', 'import', 'tools', 'search', 'profiles', 'xiaozhi']],
  ['control', ['keys', 'settings']],
] as const satisfies readonly (readonly [string, readonly PageName[]])[]

export const pageNames: readonly PageName[] = groups.flatMap(([, pages]) => pages)

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
        <CurrentPage place={place} me={me} onLeave={onLeave} />
      </main>
      {asking && <Palette onClose={() => setAsking(false)} />}
    </div>
  )
}

const Menu = ({ place }: { readonly place: Place }) => {
  const say = useTexts()
  const { held, parked } = useLive()
  return groups.map(([group, pages]) => (
    <div key={group}>
      <p className="group">{say(group)}</p>
      <ul>
        {pages.map((page) => (
          <li key={page}>
            <a href={hrefOf(page)} aria-current={place.page === page ? 'page' : undefined}>
              <Icon name={page} />
              {say(page)}
              {page === 'approvals' && held > 0 && <span className="count">{held}</span>}
              {page === 'calls' && parked.length > 0 && <span className="count">{parked.length}</span>}
            </a>
          </li>
        ))}
      </ul>
    </div>
  ))
}

const CurrentPage = ({ place, me, onLeave }: { readonly place: Place; readonly me: Me; onLeave(): void }) => {
  switch (place.page) {
    case 'sources':
      return <Sources item={place.item} />
    case 'import':
      return <Import />
    case 'tools':
      return <Tools item={place.item} />
    case 'search':
      return <Search />
    case 'profiles':
      return <Profiles item={place.item} />
    case 'calls':
      return <Calls />
    case 'approvals':
      return <Approvals />
    case 'xiaozhi':
      return <Xiaozhi />
    case 'keys':
      return <Keys />
    case 'settings':
      return <Settings me={me} onLeave={onLeave} />
    default:
      return <Overview />
  }
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
