import { lazy, type ReactNode, Suspense } from 'react'
import type { Me } from '../../src/faces/admin/session.js'
import { type Live, useLive } from './api/live.js'
import { type Pair, words } from './i18n/words.js'
import { connectWords } from './i18n/words-connect.js'
import { historyWords } from './i18n/words-history.js'
import { Approvals } from './pages/approvals.js'
import { Audit } from './pages/audit.js'
import { Calls } from './pages/calls.js'
import { Fleet } from './pages/fleet.js'
import { Import } from './pages/import.js'
import { Keys } from './pages/keys.js'
import { MyPage } from './pages/me.js'
import { Overview } from './pages/overview.js'
import { People } from './pages/people.js'
import { Profiles } from './pages/profiles.js'
import { Rules } from './pages/rules.js'
import { Search } from './pages/search.js'
import { Settings } from './pages/settings.js'
import { Sources } from './pages/sources.js'
import { Tools } from './pages/tools.js'
import { Xiaozhi } from './pages/xiaozhi.js'
import type { Drawing } from './parts/icon.js'
import { type Right, useMay } from './parts/may.js'
import { Loading } from './parts/page.js'
import type { Query } from './router.js'

// Whoever never looks at these pages does not load them.
const Prompts = lazy(async () => ({ default: (await import('./pages/prompts.js')).Prompts }))
const Resources = lazy(async () => ({ default: (await import('./pages/resources.js')).Resources }))
const Logs = lazy(async () => ({ default: (await import('./pages/logs.js')).Logs }))
const History = lazy(async () => ({ default: (await import('./pages/history.js')).History }))
const Scripts = lazy(async () => ({ default: (await import('./pages/scripts.js')).Scripts }))
const Connect = lazy(async () => ({ default: (await import('./pages/connect.js')).Connect }))

// Nor who adds servers elsewhere.
const Registry = lazy(async () => ({ default: (await import('./pages/registry.js')).Registry }))

export interface PageProps {
  /** What of it is looked at, as the address says. */
  readonly item: string | undefined
  /** What is asked of it, behind `?`. */
  readonly query: Query
  readonly me: Me
  onLeave(): void
}

export interface ConsolePage {
  /** In the address, as in `#/tools`. */
  readonly name: string
  readonly group: 'observe' | 'board' | 'control'
  readonly icon: Drawing
  readonly title: Pair
  /** How many things there wait for somebody. */
  readonly waiting?: (live: Live) => number
  /** Which right it needs, `null` for none. Default: `look`. */
  readonly right?: Right | null
  /** Default: always. */
  readonly isShown?: (live: Live) => boolean
  readonly show: (props: PageProps) => ReactNode
}

/** Every page of the console. Menu, addresses and Ctrl-K know it by this list; the first is where one begins. */
export const pages: readonly [ConsolePage, ...ConsolePage[]] = [
  {
    name: 'overview',
    group: 'observe',
    icon: 'M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z',
    title: words.overview,
    show: () => <Overview />,
  },
  {
    name: 'calls',
    group: 'observe',
    icon: 'M1.8 8h2.9l2-5 2.7 10 2-5h2.8',
    title: words.calls,
    waiting: ({ parked }) => parked.length,
    // One that is named opens over the list; a script is what the list is asked for.
    show: ({ item }) => <Calls key={item?.startsWith('r_') ? item : ''} item={item} />,
  },
  {
    name: 'history',
    group: 'observe',
    icon: 'M8 2.500a5.500 5.500 0 1 1-5.200 3.700M2.500 2.500v3.800h3.800M8 5v3.300l2.300 1.400',
    title: historyWords.history,
    show: ({ item, query }) => (
      <Suspense fallback={<Loading />}>
        <History item={item} query={query} />
      </Suspense>
    ),
  },
  {
    name: 'approvals',
    group: 'observe',
    icon: 'M8 1.8l5 2v3.9c0 3-2 5.300-5 6.500-3-1.200-5-3.500-5-6.500V3.8zM5.700 8l1.700 1.700 3-3.200',
    title: words.approvals,
    waiting: ({ held }) => held,
    show: ({ item }) => <Approvals call={item} />,
  },
  {
    name: 'logs',
    group: 'observe',
    icon: 'M2.500 3.500h11M2.500 6.500h7M2.500 9.500h9M2.500 12.500h5',
    title: ['Logs', '日志'],
    show: ({ item }) => (
      <Suspense fallback={<Loading />}>
        <Logs key={item ?? ''} item={item} />
      </Suspense>
    ),
  },
  {
    name: 'audit',
    group: 'observe',
    right: 'admin',
    icon: 'M3.500 1.800h6.500l2.500 2.500v9.900h-9zM5.800 6h4.400M5.800 8.500h4.400M5.800 11h2.700',
    title: ['Audit', '审计'],
    show: () => <Audit />,
  },
  {
    name: 'sources',
    group: 'board',
    icon: 'sources',
    title: words.sources,
    show: ({ item }) => <Sources item={item} />,
  },
  {
    name: 'import',
    group: 'board',
    icon: 'import',
    right: 'spawn',
    title: ['Import', '导入'],
    show: () => <Import />,
  },
  {
    name: 'registry',
    group: 'board',
    icon: 'M8 1.800l5.500 3v6.400l-5.500 3-5.500-3V4.800zM2.500 4.800L8 7.800l5.500-3M8 7.800v6.400',
    right: 'spawn',
    title: ['Registry', '注册表'],
    show: ({ item }) => (
      <Suspense fallback={<Loading />}>
        <Registry item={item} />
      </Suspense>
    ),
  },
  { name: 'tools', group: 'board', icon: 'tools', title: words.tools, show: ({ item }) => <Tools item={item} /> },
  {
    name: 'prompts',
    group: 'board',
    icon: 'M2.500 3h11v7.500H8l-3 3v-3H2.500zM5.500 6h5M5.500 8h3',
    title: ['Prompts', '提示词'],
    show: ({ item }) => (
      <Suspense fallback={<Loading />}>
        <Prompts item={item} />
      </Suspense>
    ),
  },
  {
    name: 'resources',
    group: 'board',
    icon: 'M3.500 1.800h5.500l3.500 3.500v8.900h-9zM9 1.800v3.500h3.500',
    title: ['Resources', '资源'],
    show: ({ item }) => (
      <Suspense fallback={<Loading />}>
        <Resources item={item} />
      </Suspense>
    ),
  },
  { name: 'search', group: 'board', icon: 'search', title: words.search, show: () => <Search /> },
  {
    name: 'scripts',
    group: 'board',
    right: 'operate',
    icon: 'M5.500 4.500L2 8l3.500 3.500M10.500 4.500L14 8l-3.500 3.500M9 3l-2 10',
    title: ['Scripts', '脚本'],
    show: ({ me }) => (
      <Suspense fallback={<Loading />}>
        <Scripts me={me} />
      </Suspense>
    ),
  },
  {
    name: 'profiles',
    group: 'board',
    icon: 'M8 7.5a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4zM2.8 14c.5-3 2.5-4.4 5.2-4.4s4.700 1.400 5.2 4.4',
    title: words.profiles,
    show: ({ item }) => <Profiles item={item} />,
  },
  {
    name: 'connect',
    group: 'board',
    icon: 'M6.500 9.500l3-3M7 4.500l1.500-1.500a3.200 3.200 0 0 1 4.500 4.500L11.500 9M9 11.500L7.500 13A3.200 3.200 0 0 1 3 8.500L4.500 7',
    title: connectWords.connectTitle,
    show: ({ item }) => (
      <Suspense fallback={<Loading />}>
        <Connect item={item} />
      </Suspense>
    ),
  },
  {
    name: 'rules',
    group: 'board',
    icon: 'M8 1.800v12.400M4.500 14.200h7M2.500 4.500h11M2.500 4.500L1.300 9a1.900 1.900 0 0 0 3.700 0zM13.500 4.500L12.300 9',
    title: ['Rules', '规则'],
    show: () => <Rules />,
  },
  {
    name: 'xiaozhi',
    group: 'board',
    icon: 'M8 1.800a2.200 2.200 0 0 1 2.200 2.200v3.600a2.200 2.200 0 0 1-4.400 0V4A2.200 2.200 0 0 1 8 1.800zM3.600 7.300a4.400 4.400 0 0 0 8.800 0M8 11.700v2.500',
    title: words.xiaozhi,
    // For those who have such a device (G14).
    isShown: ({ overview }) => (overview?.xiaozhi ?? 0) > 0,
    show: () => <Xiaozhi />,
  },
  {
    name: 'fleet',
    group: 'control',
    icon: 'M5.300 5.500h5.400v5H5.300zM1.800 2.500h3.500v3H1.800zM10.700 2.500h3.500v3h-3.500zM1.800 10.500h3.500v3H1.800zM10.700 10.500h3.500v3h-3.500z',
    title: words.fleet,
    isShown: ({ overview }) => overview?.covers !== undefined,
    waiting: ({ away }) => away.length,
    show: () => <Fleet />,
  },
  {
    name: 'people',
    group: 'control',
    right: 'admin',
    icon: 'M6 7.500a2.300 2.300 0 1 0 0-4.600 2.300 2.300 0 0 0 0 4.600zM1.800 13.300c.3-2.600 1.900-3.900 4.200-3.900s3.900 1.300 4.200 3.900M10.500 7.300a2 2 0 1 0-.6-3.900M11.500 9.600c1.600.3 2.600 1.500 2.800 3.400',
    title: ['People', '人员'],
    show: () => <People />,
  },
  {
    name: 'me',
    group: 'control',
    right: null,
    icon: 'M8 8.200a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.500 14h11c-.4-2.700-2.400-4-5.500-4s-5.100 1.300-5.500 4z',
    title: ['Me', '我'],
    show: ({ me, onLeave }) => <MyPage me={me} onLeave={onLeave} />,
  },
  {
    name: 'keys',
    group: 'control',
    right: 'admin',
    icon: 'M10.300 9.300a3.600 3.600 0 1 0-3.500-2.800L2 11.300V14h2.700v-1.700h1.700v-1.600L7.700 9.400c.8.300 1.700.2 2.600-.1zM11 5h.01',
    title: words.keys,
    show: () => <Keys />,
  },
  {
    name: 'settings',
    group: 'control',
    right: 'admin',
    icon: 'M2.500 4.500h6M11.500 4.500h2M2.500 11.500h2M7.500 11.500h6M10 2.800v3.400M6 9.800v3.400',
    title: words.settings,
    show: ({ me, onLeave }) => <Settings me={me} onLeave={onLeave} />,
  },
]

/** The pages that this reader may see, in their order. */
export const usePages = (): readonly ConsolePage[] => {
  const may = useMay()
  const live = useLive()
  return pages.filter(({ right = 'look', isShown }) => may(right ?? undefined) && (isShown?.(live) ?? true))
}
