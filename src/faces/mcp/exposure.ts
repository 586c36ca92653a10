import type { Gateway } from '../../gateway.js'
import type { Caller } from '../../model/caller.js'
import type { Clock } from '../../model/clock.js'
import { matchesGlob } from '../../model/glob.js'
import { type Tool, upstreamOf } from '../../model/tool.js'
import type { ProfileSettings } from './profile.js'

export type Exposure = 'flat' | 'search' | 'hybrid'

/** Up to so many tools are shown as they are where the profile leaves it to us. */
export const flatLimit = 40

/** What a client is shown: the tools themselves, the way to search them, or the most used and the way to the rest. */
export const exposureOf = ({ expose = 'auto', registry }: ProfileSettings, tools: number): Exposure => {
  if (expose === 'auto') return tools <= flatLimit && !registry ? 'flat' : 'search'
  return registry && expose === 'flat' ? 'hybrid' : expose
}

/** The tools of one list, in the order they are shown. */
export const exposedTools = (
  exposure: Exposure,
  tools: readonly Tool[],
  own: readonly Tool[],
  shown: (tool: Tool) => boolean,
): readonly Tool[] => {
  // What was switched on is there beside the tools themselves.
  if (exposure === 'flat') return [...tools, ...own.filter((tool) => tool.switch !== undefined)]
  return exposure === 'search' ? own : [...own, ...tools.filter(shown)]
}

/** The board's own tools that this caller can use. Without anything that can be called, `call_tool` is left out. */
export const ownTools = (
  gateway: Gateway,
  caller: Caller,
  { registry }: Pick<ProfileSettings, 'registry'> = noSettings,
  canCall = true,
): readonly Tool[] => {
  const mayChange = registry || caller.rights.includes('register')
  return gateway.catalog
    .snapshot()
    .tools.filter((tool) => tool.own && gateway.policy.decide(caller, tool, 'see').allowed)
    .filter(
      (tool) => (mayChange || !needsRegister.has(tool.name)) && (canCall || !registry || tool.name !== 'call_tool'),
    )
}

const noSettings: Pick<ProfileSettings, 'registry'> = {}

const needsRegister: ReadonlySet<string> = new Set(['register_tool', 'unregister_tool'])

export const isPinned = (tool: Tool, { pin = [] }: ProfileSettings): boolean =>
  pin.some((pattern) => matchesGlob(pattern, upstreamOf(tool).id))

/** Which tools were hot when somebody last looked. */
export interface HotSet {
  has(tool: Tool): boolean
  readonly version: number
  onChange(listener: () => void): () => void
  close(): void
}

/** How often it is looked at. */
export const hotRefreshMs = 3_600_000

/**
 * Looked at once an hour and not after each call: since 2026-07-28 a list must not change as a side effect of calls.
 */
export const createHotSet = (gateway: Gateway, clock: Clock, refreshMs = hotRefreshMs): HotSet => {
  const listeners = new Set<() => void>()
  let hot = hotNow(gateway, clock)
  let version = 1
  let cancel = clock.after(refreshMs, refresh)
  function refresh(): void {
    const next = hotNow(gateway, clock)
    cancel = clock.after(refreshMs, refresh)
    if (next.size === hot.size && [...next].every((id) => hot.has(id))) return
    hot = next
    version += 1
    for (const listener of listeners) listener()
  }
  return {
    has: (tool) => hot.has(upstreamOf(tool).id),
    get version() {
      return version
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => cancel(),
  }
}

/** What is hot by the counts as they are. */
export const hotNow = ({ catalog }: Pick<Gateway, 'catalog'>, clock: Clock): ReadonlySet<string> =>
  new Set(
    catalog
      .snapshot()
      .tools.filter((tool) => !tool.own && catalog.usage.temperature(tool.id, clock.wall()) === 'hot')
      .map((tool) => tool.id),
  )

const mostSources = 12

/** What `search_tools` says of itself: what is in scope decides whether a model thinks of asking. */
export const searchDescription = (description: string, tools: readonly Tool[]): string => {
  const counts = new Map<string, number>()
  for (const tool of tools) counts.set(tool.namespace || 'local', (counts.get(tool.namespace || 'local') ?? 0) + 1)
  const largest = [...counts].sort((a, b) => b[1] - a[1])
  const named = largest.slice(0, mostSources).map(([source, count]) => `${source} (${count})`)
  const rest = largest.length > mostSources ? [`${largest.length - mostSources} more`] : []
  const then = tools.some((tool) => !tool.definitionOnly) ? ' Then call_tool.' : ''
  return `${description} ${tools.length} tools are here: ${[...named, ...rest].join(', ')}.${then}`
}
