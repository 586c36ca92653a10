import type { Overrides } from '../catalog/overriding.js'
import { type ListSaid, PluggedLists, type PluggedParts } from '../catalog/plugged.js'
import { type Clock, systemClock } from '../model/clock.js'
import { isRecord, kindOf } from '../model/json.js'
import type { ListChange, Plugin, PluginTerms } from '../model/plugin.js'
import type { Tool } from '../model/tool.js'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import type { PluginSteps } from './order.js'
import { isPromise } from './passage.js'
import { PluginRun } from './plugin-run.js'
import { afterCall, beforeCall, type HookRooms } from './steps/hooks.js'

/**
 * All that plugins need, for whoever has some: a gateway is given it, so that one without plugins carries none of it along.
 */
export interface Plugging {
  /** Their names, in the order in which they are asked. */
  readonly names: readonly string[]
}

/** The same as the gateway knows it. */
export interface OpenablePlugging extends Plugging {
  /** Undefined where no plugin takes part in calls. */
  steps(rooms: HookRooms): PluginSteps | undefined
  /** What is shown over what was; itself where no plugin changes lists. */
  lists(parts: Omit<PluggedParts, 'ask'>): Overrides | undefined
}

/** Lets these take part: `createGateway({ plugins: pluggingBy(runs) })`. */
export const pluggingBy = (runs: readonly PluginRun[]): Plugging => {
  const made: OpenablePlugging = {
    names: runs.map(({ name }) => name),
    steps: (rooms) =>
      runs.some((run) => run.has('beforeCall') || run.has('afterCall'))
        ? { before: beforeCall(runs, rooms), around: afterCall(runs) }
        : undefined,
    lists: (parts) => {
      const asked = runs.filter((run) => run.has('onList'))
      return asked.length === 0 ? parts.under : new PluggedLists({ ...parts, ask: askAll(asked) })
    },
  }
  return made
}

export interface PluginsOptions extends PluginTerms {
  readonly clock?: Clock | undefined
  readonly logger?: Logger | undefined
}

/** Plugins of a program's own: `createGateway({ plugins: usingPlugins([plugin]) })`. */
export const usingPlugins = (plugins: readonly Plugin[], options: PluginsOptions = {}): Plugging => {
  const { clock = systemClock, logger = silentLogger, ...terms } = options
  return pluggingBy(
    plugins.map((plugin, at) => {
      const name = plugin.name ?? `plugin-${at + 1}`
      return new PluginRun({ ...terms, name, plugin, clock, logger })
    }),
  )
}

/** One after the other: the next is shown what the one before has left. */
const askAll =
  (runs: readonly PluginRun[]): PluggedParts['ask'] =>
  (tools, profile) => {
    const said = new Map<string, { readonly description?: string | undefined } | undefined>()
    const isHidden = (id: string): boolean => said.has(id) && said.get(id) === undefined
    for (const run of runs) {
      const left = tools.filter(({ id }) => !isHidden(id))
      const changes = run.run(
        'onList',
        (plugin) =>
          plugin.onList?.(
            left.map((tool) => listed(tool, said)),
            { profile },
          ),
        readChanges,
        false,
      )
      if (!changes || isPromise(changes)) continue
      const known = new Set(left.map(({ id }) => id))
      for (const { id, hide, description } of changes) {
        // What was hidden stays so, whatever is said of it besides.
        if (!known.has(id) || isHidden(id)) continue
        said.set(id, hide ? undefined : { description: description ?? said.get(id)?.description })
      }
    }
    return said
  }

const listed = ({ id, source, definition }: Tool, said: ListSaid) => {
  const description = said.get(id)?.description
  return { id, source, definition: description === undefined ? definition : { ...definition, description } }
}

const readChanges = (said: unknown): readonly ListChange[] => {
  if (said === undefined || said === null) return []
  if (!Array.isArray(said)) throw new Error(`onList returned ${kindOf(said)}, not a list of changes`)
  for (const each of said) {
    if (!isRecord(each) || typeof each.id !== 'string') throw new Error('onList: each change names a tool by its id')
    if (each.description !== undefined && typeof each.description !== 'string')
      throw new Error(`onList: the description of '${each.id}' must be text`)
  }
  return said as readonly ListChange[]
}
