import { isDeepStrictEqual } from 'node:util'
import type { HookCounts, PluginRun } from '../invocation/plugin-run.js'
import { systemClock } from '../model/clock.js'
import type { HookName } from '../model/plugin.js'
import type { Logger } from '../telemetry/logger.js'
import type { Metrics } from '../telemetry/metrics.js'
import type { Board } from './board.js'
import type { OpenedEvents } from './events/open-events.js'

export interface PluginsAround {
  /** Undefined where nothing is told: a single command. */
  readonly events?: Pick<OpenedEvents, 'on'> | undefined
  readonly metrics: Pick<Metrics, 'counter'>
  readonly logger: Logger
}

/** One plugin, as operators see it. */
export interface PluginRow {
  readonly name: string
  readonly hooks: readonly HookName[]
  readonly onError: 'skip' | 'refuse'
  /** Why it could not be loaded. */
  readonly problem?: string | undefined
  readonly counts: Readonly<Partial<Record<HookName, Readonly<HookCounts>>>>
}

export interface OpenedPlugins {
  rows(): readonly PluginRow[]
}

/** The plugins of the configuration, as it changes. Nothing of them is loaded, and no step of a call is there, where there are none. */
export const openPlugins = async (board: Board, around: PluginsAround): Promise<OpenedPlugins> => {
  const { current, gateway } = board
  let runs: readonly PluginRun[] = []
  let stopEvents = (): void => {}
  const takeUp = async ({ plugins }: Board['config']): Promise<void> => {
    if (plugins.length === 0 && runs.length === 0) return
    const { loadPlugins, pluggingBy } = await import('./load-plugins.js')
    runs = await loadPlugins(plugins, { ...around, logger: around.logger.child('plugins'), clock: systemClock })
    gateway.plug(runs.length === 0 ? undefined : pluggingBy(runs))
    stopEvents()
    stopEvents = await hearEvents(runs, around.events)
  }
  current.follow(['plugins'], async (now, before) => {
    if (!isDeepStrictEqual(now.plugins, before.plugins)) await takeUp(now)
  })
  await takeUp(current.now)
  return { rows: () => runs.map(rowOf) }
}

export const rowOf = (run: PluginRun): PluginRow => ({
  ...{ name: run.name, hooks: run.hooks, onError: run.onError, problem: run.problem },
  counts: run.counts(),
})

const hearEvents = async (runs: readonly PluginRun[], events: PluginsAround['events']): Promise<() => void> => {
  const heard = runs.filter((run) => run.has('onEvent'))
  if (!events || heard.length === 0) return () => {}
  return events.on((event) => {
    for (const run of heard)
      void run.run(
        'onEvent',
        (plugin) => plugin.onEvent?.(event),
        () => undefined,
      )
  })
}
