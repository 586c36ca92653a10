import type { Config } from '../../../config/schema.js'
import { guardWords, lackingWords } from '../../../faces/guard-words.js'
import { say, spoken } from '../../../serving/locale.js'
import { type Diagnosis, fail, off, ok, warn } from './diagnosis.js'

/** Can this machine keep child processes as the configuration wants them kept? */
export const checkChildren = async (config: Pick<Config, 'sources'>): Promise<readonly Diagnosis[]> => {
  const { childGuardsOf } = await import('../../../serving/sources/child-guards.js')
  const { commands, sandboxes, limits } = await childGuardsOf(config)
  if (commands === 0) return []
  const found = [
    ...sandboxes.map(({ kind, sources, why }): Diagnosis => {
      const names = sources.join(', ')
      return why === undefined
        ? ok('children', say(`${kind} works here: ${names}`, `${kind} 在本机可用：${names}`))
        : fail(
            'children',
            say(
              `${kind} cannot be used, so these do not start: ${names}`,
              `${kind} 不可用，以下来源不会启动：${names}`,
            ),
            why,
          )
    }),
    ...limits.map(({ source, report }): Diagnosis => {
      const words = guardWords({ ...report, sandbox: undefined }, spoken())
      const lacking = lackingWords(report, spoken())
      if (lacking === '') return ok('children', `${source}: ${words}`)
      return warn(
        'children',
        say(`${source}: not enforced on this machine: ${lacking}`, `${source}：本机无法限制：${lacking}`),
        say(
          'It runs without that limit. docs/security.md says what each needs.',
          '它在没有该限制的情况下运行。各项限制的要求见 docs/security.md。',
        ),
      )
    }),
  ]
  return found.length > 0
    ? found
    : [
        off(
          'children',
          say(
            'Commands run with your rights and without limits; "children" in the configuration changes that',
            '命令以你的权限运行且没有限制；可在配置的 “children” 中更改',
          ),
        ),
      ]
}
