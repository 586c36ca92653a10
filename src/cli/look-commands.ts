import { type Command, Option } from 'commander'
import { say } from '../serving/locale.js'
import { jsonHelp, withBoardFlags, withConfigFlags } from './flags.js'

type Join = <Flags extends object>(flags: Flags) => Flags

/** The commands about what models see, and whether it is what somebody looked at. */
export const addLookCommands = (program: Command, joined: Join): void => {
  withConfigFlags(program.command('trust'))
    .description(
      say(
        'say yes to a configuration file of the working folder: it shows what the file would start, and asks',
        '同意使用当前文件夹中的配置文件：先显示它会启动什么，再询问',
      ),
    )
    .argument(
      '[file]',
      say('the file, or its folder (default: the one here)', '文件或其所在文件夹（默认：当前文件夹中的）'),
    )
    .option('--yes', say('yes, without being asked', '直接同意，不再询问'))
    .option('--list', say('the files that were said yes to', '列出同意过的文件'))
    .option('--revoke', say('take a yes back', '收回同意'))
    .addOption(new Option('--remove', say('the same as --revoke', '同 --revoke')).hideHelp())
    .option('--json', jsonHelp)
    .action(async (file, flags) => (await import('./commands/trust.js')).trust(file, joined(flags)))

  const profile = program
    .command('profile')
    .description(say('what clients see, and what it costs', '客户端看到什么、占多少 token'))
  withBoardFlags(profile.command('list'))
    .description(
      say('all profiles with the tokens that their tool lists take', '列出所有配置档及其工具列表占用的 token'),
    )
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/profile.js')).listProfiles(joined(flags)))
  withBoardFlags(profile.command('show'))
    .description(say('the tools that a client of this profile is shown', '使用该配置档的客户端能看到的工具'))
    .argument('[name]', say('the profile', '配置档名称'), 'default')
    .option('--json', jsonHelp)
    .action(async (name, flags) => (await import('./commands/profile.js')).showProfile(name, joined(flags)))

  withBoardFlags(program.command('scan'))
    .description(
      say(
        'what a person should look at in the words of sources; ends with 1 if there is anything',
        '检查来源的文字中有什么需要人来看；有发现时退出码为 1',
      ),
    )
    .argument(
      '[what]',
      say(
        'a source, a tool, or a JSON file: a list of tools, a result, a configuration of a client (default: everything)',
        '来源、工具或 JSON 文件：工具列表、结果或客户端配置（默认：全部）',
      ),
    )
    .addOption(
      new Option('--min-severity <level>', say('the least that counts', '至少达到哪一级才算'))
        .choices(['low', 'medium', 'high'])
        .default('medium'),
    )
    .option('--json', jsonHelp)
    .action(async (what, flags) => (await import('./commands/scan.js')).scanBoard(what, joined(flags)))

  const lock = program
    .command('lock')
    .description(
      say(
        'tool definitions that somebody looked at, in a file for version control',
        '人工确认过的工具定义，保存在可纳入版本管理的文件中',
      ),
    )
  withBoardFlags(lock.command('write'))
    .description(say('lock the definitions as they are now', '按现状锁定工具定义'))
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/lock.js')).writeLock(joined(flags)))
  withBoardFlags(lock.command('diff'))
    .description(say('what has changed since; ends with 1 if anything has', '锁定之后有哪些变化；有变化时退出码为 1'))
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/lock.js')).diffLock(joined(flags)))
  withBoardFlags(lock.command('approve'))
    .description(say('take tools as they are now', '接受这些工具的现状'))
    .argument('[tools...]', say('their ids', '工具的 id'))
    .option('--all', say('all of them; those that are gone are forgotten', '全部接受；已不存在的工具从锁文件中删除'))
    .option('--json', jsonHelp)
    .action(async (tools, flags) => (await import('./commands/lock.js')).approveLock(tools, joined(flags)))
}
