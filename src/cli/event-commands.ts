import type { Command } from 'commander'
import { say } from '../serving/locale.js'
import { jsonHelp, withConfigFlags } from './flags.js'

type Join = <Flags extends object>(flags: Flags) => Flags

/** Who is told of what happens on the board, and what takes part in it. */
export const addEventCommands = (program: Command, joined: Join): void => {
  withConfigFlags(program.command('plugins'))
    .description(say('code of your own that takes part in lists and calls', '参与列表和调用的自有代码'))
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/plugins.js')).listPlugins(joined(flags)))

  const webhooks = program
    .command('webhooks')
    .description(say('who is told of what happens on the board', '事件通知发送到哪里'))

  withConfigFlags(webhooks.command('list', { isDefault: true }))
    .description(say('list them, and what became of the last messages', '列出它们，以及最近消息的发送结果'))
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/webhooks.js')).listWebhooks(joined(flags)))

  withConfigFlags(webhooks.command('test'))
    .description(say('send a test message and say what was answered', '发送一条测试消息并显示对方的应答'))
    .argument(
      '[which]',
      say('its number in the list, or its address (default: all)', '列表中的序号或地址（默认：全部）'),
    )
    .option('--json', jsonHelp)
    .action(async (which, flags) => (await import('./commands/webhooks.js')).testWebhooks(which, joined(flags)))
}
