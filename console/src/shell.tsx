import { useEffect, useRef, useState } from 'react'
import type { Me } from '../../src/faces/admin/session.js'
import { useLive } from './api/live.js'
import { usePair, useTexts } from './i18n/texts.js'
import mark from './mark.svg'
import { type ConsolePage, usePages } from './pages.js'
import { Palette } from './palette.js'
import { Button } from './parts/button.js'
import { Icon } from './parts/icon.js'
import { useMay } from './parts/may.js'
import { hrefOf, type Place, usePlace } from './router.js'

const own = {
  breakGlass: [
    'You came in with an administrator’s key, which is for emergencies: people sign in here. Its use is written down in the audit.',
    '你使用的是管理员密钥登录，仅供紧急情况使用：这里的人员应各自登录。此次使用已记入审计。',
  ],
} as const

const groups = ['observe', 'board', 'control'] as const

/** The frame around every page: where one can go, and whether what is shown is live. */
export const Shell = ({ me, onLeave }: { readonly me: Me; onLeave(): void }) => {
  const say = useTexts(own)
  const place = usePlace()
  const shown = usePages()
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
        <Menu place={place} pages={shown} />
        <Reader me={me} onLeave={onLeave} />
      </nav>
      <main id="main" ref={main} tabIndex={-1}>
        {me.breakGlass && (
          <p className="notice bad break-glass" role="alert">
            {say('breakGlass')}
          </p>
        )}
        {(shown.find(({ name }) => name === place.page) ?? shown[0])?.show({
          item: place.item,
          query: place.query,
          me,
          onLeave,
        })}
      </main>
      {asking && <Palette onClose={() => setAsking(false)} />}
    </div>
  )
}

/** Who reads, and whether what they see is live. */
const Reader = ({ me, onLeave }: { readonly me: Me; onLeave(): void }) => {
  const say = useTexts()
  const may = useMay()
  const { connected } = useLive()
  return (
    <div className="reader">
      {may('look') && (
        <p className={`live ${connected ? 'on' : 'off'}`} role="status">
          <span className="dot" />
          {connected ? `${say('live')} · v${me.version}` : say('offline')}
        </p>
      )}
      <p className="row">
        <span className="clip muted small" title={me.id}>
          {me.name ?? me.email ?? me.id}
        </span>
        <Button kind="quiet" onClick={onLeave}>
          {say('signOut')}
        </Button>
      </p>
    </div>
  )
}

const Menu = ({ place, pages }: { readonly place: Place; readonly pages: readonly ConsolePage[] }) => {
  const say = useTexts()
  const read = usePair()
  const live = useLive()
  const filled = groups.filter((group) => pages.some((page) => page.group === group))
  return filled.map((group) => (
    <div key={group}>
      <p className="group">{say(group)}</p>
      <ul>
        {pages
          .filter((page) => page.group === group)
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
