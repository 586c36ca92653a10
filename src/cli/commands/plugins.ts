import { systemClock } from '../../model/clock.js'
import { loadPlugins } from '../../serving/load-plugins.js'
import { say } from '../../serving/locale.js'
import { type PluginRow, rowOf } from '../../serving/plugins.js'
import { type CommonFlags, readConfig } from '../../serving/read-config.js'
import { silentLogger } from '../../telemetry/logger.js'
import { createMetrics } from '../../telemetry/metrics.js'
import { oneLine } from '../../telemetry/plain-text.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { table } from '../terminal/table.js'
import { painted, print } from '../terminal/terminal.js'
import { askRunning } from './ask-running.js'

/** `pegboard plugins`: what is loaded, what each takes part in, and how that went; without a gateway, whether each loads. */
export const listPlugins = async (flags: CommonFlags): Promise<void> => {
  const running = await askRunning(flags, 'plugins', {})
  const rows = running ?? (await loadedHere(flags))
  const broken = rows.filter(({ problem }) => problem !== undefined)
  print(flags, { running: running !== undefined, plugins: rows }, [
    rows.length === 0
      ? say('No plugins. How to write one: docs/plugins.md', '没有插件。写法见 docs/plugins.md')
      : listed(rows),
    ...broken.map(({ name, problem }) => painted('yellow', `${name}: ${oneLine(problem!)}`)),
    ...(running || rows.length === 0
      ? []
      : [
          painted(
            'dim',
            say(
              'No gateway runs with this configuration; they were loaded here to see.',
              '没有使用此配置的网关在运行；已在此处试加载。',
            ),
          ),
        ]),
  ])
  if (broken.length > 0)
    throw new CommandFailed(
      say(
        `${broken.length} of ${rows.length} cannot be loaded.`,
        `${rows.length} 个中有 ${broken.length} 个无法加载。`,
      ),
      exitCodes.config,
    )
}

const loadedHere = async (flags: CommonFlags): Promise<readonly PluginRow[]> => {
  const { config } = await readConfig(flags)
  const around = { clock: systemClock, logger: silentLogger, metrics: createMetrics() }
  return (await loadPlugins(config.plugins, around)).map(rowOf)
}

const listed = (rows: readonly PluginRow[]): string =>
  table(
    [
      say('PLUGIN', '插件'),
      say('HOOK', '钩子'),
      say('RAN', '次数'),
      say('ERRORS', '错误'),
      say('MEAN', '平均'),
      say('ON ERROR', '出错时'),
    ],
    rows.flatMap(({ name, hooks, counts, onError, problem }) => {
      const then = onError === 'refuse' ? say('refuse', '拒绝') : say('skip', '跳过')
      if (problem !== undefined) return [[name, say('not loaded', '未加载'), '', '', '', then]]
      return hooks.map((hook) => {
        const { calls = 0, errors = 0, spentMs = 0 } = counts[hook] ?? {}
        const mean = calls === 0 ? '' : `${(spentMs / calls).toFixed(2)} ms`
        return [name, hook, String(calls), String(errors), mean, then]
      })
    }),
  )
