import { useEffect, useRef, useState } from 'react'
import type { Me } from '../../src/faces/admin/session.js'
import { useLive } from './api/live.js'
import { formatTime } from './i18n/format.js'
import { useLanguage, usePair, useTexts } from './i18n/texts.js'
import mark from './mark.svg'
import { type ConsolePage, pages, usePages } from './pages.js'
import { Palette } from './palette.js'
import { Button } from './parts/button.js'
import { Icon } from './parts/icon.js'
import { useMay } from './parts/may.js'
import { Page } from './parts/page.js'
import { hrefOf, type Place, usePlace } from './router.js'

const own = {
  breakGlass: [
    'You came in with an administrator’s key, which is for emergencies: people sign in here. Its use is written down in the audit.',
    '你使用的是管理员密钥登录，仅供紧急情况使用：这里的人员应各自登录。此次使用已记入审计。',
  ],
  gone: [
    'The gateway has not answered since {when}. What you see is from then. Trying again…',
    '网关自 {when} 起没有应答。当前显示的是那时的内容。正在重试…',
  ],
  noPage: ['There is no page “{name}” here.', '这里没有页面“{name}”。'],
  notForYou: ['Your key or role does not show the page “{name}”.', '你的密钥或角色不能查看页面“{name}”。'],
  toFirst: ['Go to {title}', '前往{title}'],
} as const

const groups = ['observe', 'board', 'control'] as const

/** The frame around every page: where one can go, and whether what is shown is live. */
export const Shell = ({ me, onLeave }: { readonly me: Me; onLeave(): void }) => {
  const say = useTexts(own)
  const place = usePlace()
  const shown = usePages()
  const language = useLanguage()
  const { lostAt } = useLive()
  const may = useMay()
  const page = pageAt(place, shown, may)
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
      <main id="main" ref={main} tabIndex={-1} className={lostAt === undefined ? undefined : 'stale'}>
        {lostAt !== undefined && (
          <p className="notice bad gone" role="alert">
            <Icon name="warn" />
            <span>{say('gone', { when: formatTime(lostAt, language) })}</span>
          </p>
        )}
        {me.breakGlass && (
          <p className="notice bad break-glass" role="alert">
            {say('breakGlass')}
          </p>
        )}
        {page ? (
          page.show({ item: place.item, query: place.query, me, onLeave })
        ) : (
          <NoPage name={place.page} pages={shown} />
        )}
      </main>
      {asking && <Palette onClose={() => setAsking(false)} />}
    </div>
  )
}

/** What an address means. Who may not see the overview begins with what they may see. */
const pageAt = (
  { page }: Place,
  shown: readonly ConsolePage[],
  may: ReturnType<typeof useMay>,
): ConsolePage | undefined => {
  // A page that is left out of the menu because there is nothing on it yet can still be opened by its address.
  const isThere = ({ name, right = 'look' }: ConsolePage): boolean => name === page && may(right ?? undefined)
  return pages.find(isThere) ?? (page === 'overview' ? shown[0] : undefined)
}

/** An address that leads nowhere (G12). */
const NoPage = ({ name, pages: shown }: { readonly name: string; readonly pages: readonly ConsolePage[] }) => {
  const say = useTexts(own)
  const read = usePair()
  const isHidden = pages.some((each) => each.name === name)
  const first = shown[0]
  return (
    <Page title="404">
      <p className="notice missing" role="status">
        {say(isHidden ? 'notForYou' : 'noPage', { name: name.slice(0, 64) })}{' '}
        {first && <a href={hrefOf(first.name)}>{say('toFirst', { title: read(first.title) })}</a>}
      </p>
    </Page>
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
