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

  const rules = program.command('rules').description(say('the rules over what calls send', '针对调用参数的规则'))
  withBoardFlags(rules.command('check'))
    .description(
      say(
        'the rules, and what of them can never match; ends with 1 if there is any',
        '列出规则及其中永远不会生效的部分；有发现时退出码为 1',
      ),
    )
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/rules.js')).checkRules(joined(flags)))
  withBoardFlags(rules.command('explain'))
    .description(
      say('what the rules say of a call, and why; nothing is called', '规则对某次调用的判断及原因；不会真正调用'),
    )
    .argument('<tool>', say('its id', '工具的 id'))
    .argument('[arguments...]', say('key=value, as for call', 'key=value，与 call 相同'))
    .option('--args <json>', say('the arguments; - reads them from standard input', '参数；- 表示从标准输入读取'))
    .option('--caller <name>', say('the name of a key, or the id of a caller', '密钥名称或调用方 id'))
    .option('--profile <name>', say('through this profile (default: default)', '使用该配置档（默认：default）'))
    .option('--json', jsonHelp)
    .action(async (tool, pairs, flags) =>
      (await import('./commands/rules.js')).explainRules(tool, pairs, joined(flags)),
    )
  const tool = program.command('tool').description(say('how tools are shown', '工具的展示方式'))
  const deeds = () => import('./commands/tool.js')
  const shown = (command: Command): Command =>
    withBoardFlags(command)
      .option('--profile <name>', say('for this profile alone', '只对该配置档'))
      .option('--json', jsonHelp)
  const toolId = say('the tool, by the id that its source gives', '工具 id（以来源为准）')
  shown(tool.command('list', { isDefault: true }))
    .description(say('tools shown otherwise, and what that saves', '改变的工具及节省的 token'))
    .action(async (flags) => (await deeds()).listShown(joined(flags)))
  shown(tool.command('show'))
    .description(say('a tool as it is shown, beside its source', '展示方式与来源对照'))
    .argument('<id>', toolId)
    .action(async (id, flags) => (await deeds()).showTool(id, joined(flags)))
  shown(tool.command('set'))
    .description(say('change how a tool is shown', '改变展示方式'))
    .argument('<id>', toolId)
    .argument(
      '<words...>',
      say(
        'KEY=VALUE, such as arguments.owner.set=acme; an empty value takes it out',
        'KEY=VALUE，如 arguments.owner.set=acme；留空即去掉',
      ),
    )
    .action(async (id, words, flags) => (await deeds()).setTool(id, words, joined(flags)))
  shown(tool.command('reset'))
    .description(say('show a tool as its source does', '恢复原样'))
    .argument('<id>', toolId)
    .action(async (id, flags) => (await deeds()).resetTool(id, joined(flags)))

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
