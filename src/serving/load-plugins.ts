import { stat } from 'node:fs/promises'
import { basename, extname, isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PluginSettings } from '../config/plugin-schema.js'
import { messageOf } from '../errors.js'
import { PluginRun } from '../invocation/plugin-run.js'
import type { Clock } from '../model/clock.js'
import { isRecord, type JsonObject } from '../model/json.js'
import { hookNames, type Plugin } from '../model/plugin.js'
import type { Logger } from '../telemetry/logger.js'
import type { Metrics } from '../telemetry/metrics.js'
import { say } from './locale.js'

export { pluggingBy } from '../invocation/plugging.js'

export interface LoadingAround {
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Pick<Metrics, 'counter'>
}

type Wanted = Readonly<Omit<PluginSettings, 'options'>> & { readonly options: object }

/** Loads each. One that cannot be loaded is said, and stands there as what fails. */
export const loadPlugins = (plugins: readonly Wanted[], around: LoadingAround): Promise<readonly PluginRun[]> => {
  const hooks = around.metrics.counter('pegboard_plugin_hooks_total', 'Hooks of plugins that ran, by outcome.', [
    'plugin',
    'hook',
    'outcome',
  ])
  const seconds = around.metrics.counter('pegboard_plugin_seconds_total', 'Time spent in hooks of plugins.', [
    'plugin',
    'hook',
  ])
  return Promise.all(
    plugins.map(async (wanted) => {
      const { module, timeoutMs, onError } = wanted
      const { plugin, problem } = await load(wanted, around.logger)
      const name = plugin?.name ?? basename(module, extname(module))
      return new PluginRun({
        ...{ name, plugin, problem, timeoutMs, onError, clock: around.clock, logger: around.logger },
        ran: (hook, outcome, ms) => {
          hooks.add({ plugin: name, hook, outcome })
          seconds.add({ plugin: name, hook }, ms / 1000)
        },
      })
    }),
  )
}

interface Loaded {
  readonly plugin?: Plugin | undefined
  readonly problem?: string | undefined
}

const load = async ({ module, options, onError }: Wanted, logger: Logger): Promise<Loaded> => {
  try {
    const exported = await importFresh(module)
    const plugin: unknown = typeof exported === 'function' ? await exported(options as JsonObject) : exported
    return { plugin: checked(plugin) }
  } catch (error) {
    const problem = messageOf(error)
    const then = onError === 'refuse' ? say('calls are refused', '调用将被拒绝') : say('it is left out', '已跳过')
    logger.log(
      'error',
      say(
        `The plugin '${module}' cannot be loaded, ${then}: ${problem}`,
        `插件“${module}”无法加载，${then}：${problem}`,
      ),
    )
    return { problem }
  }
}

/** As its file is now: modules are kept by their address, and this one has its time in it. */
const importFresh = async (module: string): Promise<unknown> => {
  const isFile = isAbsolute(module)
  const address = isFile ? `${pathToFileURL(module).href}?${(await stat(module)).mtimeMs}` : module
  const loaded = (await import(address)) as Record<string, unknown>
  return loaded.default ?? loaded
}

const checked = (plugin: unknown): Plugin => {
  if (!isRecord(plugin))
    throw new Error(
      say(
        'it must export a plugin, or a function that makes one, as its default',
        '默认导出必须是插件，或生成插件的函数',
      ),
    )
  const hooks = hookNames.filter((hook) => plugin[hook] !== undefined)
  const odd = hooks.find((hook) => typeof plugin[hook] !== 'function')
  if (odd) throw new Error(say(`${odd} must be a function`, `${odd} 必须是函数`))
  if (hooks.length === 0)
    throw new Error(say(`it has none of ${hookNames.join(', ')}`, `它没有以下任何钩子：${hookNames.join('、')}`))
  if (plugin.name !== undefined && (typeof plugin.name !== 'string' || !/^[\w.@/ -]{1,64}$/.test(plugin.name)))
    throw new Error(say('its name must be short and plain', '其名称应简短，且只含普通字符'))
  return plugin as Plugin
}
