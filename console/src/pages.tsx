import type { ReactNode } from 'react'
import type { Me } from '../../src/faces/admin/overview.js'
import type { Live } from './api/live.js'
import { type Pair, words } from './i18n/words.js'
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
import type { IconName } from './parts/icon.js'

export interface PageProps {
  /** What of it is looked at, as the address says. */
  readonly item: string | undefined
  readonly me: Me
  onLeave(): void
}

export interface ConsolePage {
  /** In the address, as in `#/tools`. */
  readonly name: string
  readonly group: 'observe' | 'board' | 'control'
  readonly icon: IconName
  readonly title: Pair
  /** How many things there wait for somebody. */
  readonly waiting?: (live: Live) => number
  readonly show: (props: PageProps) => ReactNode
}

/** Every page of the console. Menu, addresses and Ctrl-K know it by this list; the first is where one begins. */
export const pages: readonly [ConsolePage, ...ConsolePage[]] = [
  { name: 'overview', group: 'observe', icon: 'overview', title: words.overview, show: () => <Overview /> },
  {
    name: 'calls',
    group: 'observe',
    icon: 'calls',
    title: words.calls,
    waiting: ({ parked }) => parked.length,
    show: () => <Calls />,
  },
  {
    name: 'approvals',
    group: 'observe',
    icon: 'approvals',
    title: words.approvals,
    waiting: ({ held }) => held,
    show: () => <Approvals />,
  },
  {
    name: 'sources',
    group: 'board',
    icon: 'sources',
    title: words.sources,
    show: ({ item }) => <Sources item={item} />,
  },
  { name: 'import', group: 'board', icon: 'import', title: words.import, show: () => <Import /> },
  { name: 'tools', group: 'board', icon: 'tools', title: words.tools, show: ({ item }) => <Tools item={item} /> },
  { name: 'search', group: 'board', icon: 'search', title: words.search, show: () => <Search /> },
  {
    name: 'profiles',
    group: 'board',
    icon: 'profiles',
    title: words.profiles,
    show: ({ item }) => <Profiles item={item} />,
  },
  { name: 'xiaozhi', group: 'board', icon: 'xiaozhi', title: words.xiaozhi, show: () => <Xiaozhi /> },
  { name: 'keys', group: 'control', icon: 'keys', title: words.keys, show: () => <Keys /> },
  {
    name: 'settings',
    group: 'control',
    icon: 'settings',
    title: words.settings,
    show: ({ me, onLeave }) => <Settings me={me} onLeave={onLeave} />,
  },
]
