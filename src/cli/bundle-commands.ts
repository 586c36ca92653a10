import type { Command } from 'commander'
import { say } from '../serving/locale.js'
import { jsonHelp, withConfigFlags } from './flags.js'

type Join = <Flags extends object>(flags: Flags) => Flags

/** What `add` takes beside, for a bundle. */
export const withBundleFlags = (command: Command): Command =>
  command
    .option('--set <KEY=value...>', say('what a bundle asks for', '包所询问的配置'))
    .option('--sha256 <hex>', say('what a bundle must hash to', '包必须具有的 SHA-256'))

/** MCPB bundles: servers with everything they need in one file. */
export const addBundleCommands = (program: Command, joined: Join): void => {
  const bundle = program
    .command('bundle')
    .description(
      say('MCPB bundles: servers in one file, with all they need', 'MCPB 包：一个文件里装着服务器及其所需的一切'),
    )

  withConfigFlags(bundle.command('install'))
    .description(
      say(
        'check a bundle, unpack it into the data folder and add it as a source',
        '检查 MCPB 包，解包到数据目录，并添加为来源',
      ),
    )
    .argument('<file-or-url>', say('an .mcpb file, or where it is to be had', '.mcpb 文件，或其下载地址'))
    .option('--name <name>', say('what to call it (default: its own name)', '给它起的名称（默认：它自己的名称）'))
    .option('--sha256 <hex>', say('what the file must hash to', '文件必须具有的 SHA-256'))
    .option(
      '--set <KEY=value...>',
      say('what it asks for; several values of one key become a list', '它所询问的配置；同一个键给出多个值时成为列表'),
    )
    .option('--disabled', say('add it switched off', '添加但不启用'))
    .option('--yes', say('yes, without being asked', '直接同意，不再询问'))
    .option('--dry-run', say('only show what would be done', '只显示将要做什么'))
    .option(
      '--try',
      say(
        'start it once and say what it shows (default on a terminal)',
        '启动一次并说明它提供的内容（在终端中默认如此）',
      ),
    )
    .option('--no-try', say('do not start it', '不启动'))
    .option('--json', jsonHelp)
    .action(async (where, flags) => (await import('./commands/bundle-install.js')).install(where, joined(flags)))

  withConfigFlags(bundle.command('list'))
    .description(say('the bundles that are installed', '已安装的 MCPB 包'))
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/bundle.js')).listBundles(joined(flags)))

  withConfigFlags(bundle.command('inspect'))
    .description(
      say(
        'what is in a bundle and what it would run; nothing is written or started',
        '包里有什么、会运行什么；不写入也不启动任何东西',
      ),
    )
    .argument('<file-or-url>', say('an .mcpb file, or where it is to be had', '.mcpb 文件，或其下载地址'))
    .option('--sha256 <hex>', say('what the file must hash to', '文件必须具有的 SHA-256'))
    .option('--json', jsonHelp)
    .action(async (where, flags) => (await import('./commands/bundle.js')).inspectBundle(where, joined(flags)))

  withConfigFlags(bundle.command('uninstall'))
    .description(
      say(
        'remove a bundle: its sources, its files and what was kept for it',
        '卸载 MCPB 包：移除其来源、文件以及为它保存的内容',
      ),
    )
    .argument('<name>', say('as `list` names it', '名称，同 `list`'))
    .option('--json', jsonHelp)
    .action(async (name, flags) => (await import('./commands/bundle.js')).uninstall(name, joined(flags)))
}
