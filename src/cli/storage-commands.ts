import { type Command, Option } from 'commander'
import { say } from '../serving/locale.js'
import { jsonHelp, withConfigFlags } from './flags.js'

/** `pegboard storage`, and `storage move`. */
export const addStorageCommands = (program: Command, joined: <Flags extends object>(flags: Flags) => Flags): void => {
  const storage = program.command('storage').description(say('what is kept, and where', '保存了什么、保存在哪里'))

  withConfigFlags(storage.command('show', { isDefault: true }))
    .description(say('what is kept, and where', '保存了什么、保存在哪里'))
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/storage.js')).showStorage(joined(flags)))

  withConfigFlags(storage.command('move'))
    .description(
      say(
        'copy everything to another storage; nothing is deleted where it is',
        '把全部内容复制到另一种存储；原处不删除任何内容',
      ),
    )
    .addOption(new Option('--to <backend>', say('where to', '迁移到哪里')).choices(['json', 'sqlite', 'postgres']))
    .option(
      '--folder <folder>',
      say('the folder of json or sqlite (default: storage.path)', 'json 或 sqlite 的目录（默认：storage.path）'),
    )
    .option(
      '--url <address>',
      say('the database of postgres (default: storage.url)', 'postgres 的数据库地址（默认：storage.url）'),
    )
    .option('--schema <name>', say('its schema (default: storage.schema)', '数据库模式（默认：storage.schema）'))
    .option('--merge', say('add to a target that is not empty', '目标不为空时合并'))
    .option('--dry-run', say('only say what would be moved', '只说明将迁移什么'))
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/storage.js')).move(joined(flags)))
}
