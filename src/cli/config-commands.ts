import type { Command } from 'commander'
import { say } from '../serving/locale.js'
import { jsonHelp, onlineHelp, withConfigFlags } from './flags.js'

type Join = <Flags extends object>(flags: Flags) => Flags

/** The commands about the configuration itself. */
export const addConfigCommands = (program: Command, joined: Join): void => {
  const config = program.command('config').description(say('the configuration', '查看与检查配置'))
  withConfigFlags(config.command('check'))
    .description(say('check it', '检查配置是否有效'))
    .option('--online', onlineHelp)
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/check.js')).check(joined(flags)))
  config
    .command('schema')
    .description(say('its JSON Schema, for editors', '配置的 JSON Schema，供编辑器使用'))
    .option('--json', say('as it is anyway', '本来就是 JSON'))
    .action(async () => (await import('./commands/look.js')).showSchema())
  withConfigFlags(config.command('show'))
    .description(say('what is in force, secrets left out', '当前生效的配置，不含机密'))
    .option('--json', say('as it is anyway', '本来就是 JSON'))
    .action(async (flags) => (await import('./commands/look.js')).showConfig(joined(flags)))

  withConfigFlags(config.command('diff'))
    .description(
      say(
        'what was changed from the console or by `pegboard add` over the file, in a fleet',
        '集群中由控制台或 `pegboard add` 在文件之上所做的修改',
      ),
    )
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/config-overlay.js')).diff(joined(flags)))
  withConfigFlags(config.command('reset'))
    .description(say('take such changes back: the file counts again', '撤销这些修改，重新以文件为准'))
    .argument('[place]', say('such as sources.docs (default: everything)', '例如 sources.docs（默认：全部）'))
    .option('--yes', say('yes, without being asked', '直接同意，不再询问'))
    .option('--json', jsonHelp)
    .action(async (place, flags) => (await import('./commands/config-overlay.js')).reset(place, joined(flags)))
}
