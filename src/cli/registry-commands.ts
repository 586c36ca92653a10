import type { Command } from 'commander'
import { say } from '../serving/locale.js'
import { jsonHelp, withConfigFlags } from './flags.js'

type Join = <Flags extends object>(flags: Flags) => Flags

const registryHelp = say(
  'only this registry: its name in the settings, or its URL',
  '只用这个注册表：设置中的名称，或 URL',
)
const packageHelp = say(
  'which of its packages: npm, pypi, oci, nuget or mcpb',
  '用它的哪个软件包：npm、pypi、oci、nuget 或 mcpb',
)
const remoteHelp = say('the server that runs elsewhere, instead of a package', '用运行在别处的服务器，而不是软件包')
const hostHelp = say('a host of packages beside the public ones that you know', '公共仓库以外、你了解的软件包主机')

/** What `add` takes beside, for a server of a registry. */
export const withRegistryFlags = (command: Command): Command =>
  command
    .option('--registry <name-or-url>', registryHelp)
    .option('--package <type>', packageHelp)
    .option('--remote [which]', remoteHelp)
    .option('--arg <NAME=value...>', say('arguments that the server asks for', '服务器要求的参数'))
    .option(
      '--as <name>',
      say('what to call it here (default: the last part of its name)', '在这里的名称（默认：原名称的最后一段）'),
    )
    .option('--package-host <host...>', hostHelp)
    .option('--yes', say('yes, without being asked', '直接同意，不再询问'))
    .option('--dry-run', say('only say what would be written', '只说明会写入什么'))

/** Servers to be had by their names. */
export const addRegistryCommands = (program: Command, joined: Join): void => {
  const registry = program
    .command('registry')
    .description(say('servers to be had by their names', '可按名称获取的服务器'))
  withConfigFlags(registry.command('search'))
    .description(say('find servers in the registries', '在注册表中查找服务器'))
    .argument(
      '<words...>',
      say('part of the name first; more words sort what is found', '名称的一部分；更多的词用来排序'),
    )
    .option('--registry <name-or-url>', registryHelp)
    .option('--limit <number>', say('how many at most', '最多多少条'), '20')
    .option('--json', jsonHelp)
    .action(async (words, flags) => (await import('./commands/registry.js')).search(words, joined(flags)))
  withConfigFlags(registry.command('show'))
    .description(say('what a server is, asks for and would run', '查看服务器是什么、需要什么、会运行什么'))
    .argument('<name>', say('its name, or NAME@version', '它的名称，或 NAME@version'))
    .option('--registry <name-or-url>', registryHelp)
    .option('--package <type>', packageHelp)
    .option('--remote [which]', remoteHelp)
    .option('--package-host <host...>', hostHelp)
    .option('--json', jsonHelp)
    .action(async (name, flags) => (await import('./commands/registry.js')).show(name, joined(flags)))
  withConfigFlags(registry.command('updates'))
    .description(
      say('which sources have newer versions, and what those would change', '哪些来源有新版本，以及会改变什么'),
    )
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/registry-updates.js')).updates(joined(flags)))
  withConfigFlags(registry.command('update'))
    .description(
      say('take the newer version of a source, after a look at the difference', '查看差异后，采用来源的新版本'),
    )
    .argument('<source>', say('the source', '来源名称'))
    .option('-e, --env <NAME=value...>', say('variables that the newer version asks for', '新版本要求的环境变量'))
    .option('-H, --header <Name:value...>', say('headers that the newer version asks for', '新版本要求的请求头'))
    .option('--arg <NAME=value...>', say('arguments that the newer version asks for', '新版本要求的参数'))
    .option('--yes', say('yes, without being asked', '直接同意，不再询问'))
    .option('--json', jsonHelp)
    .action(async (source, flags) => (await import('./commands/registry-updates.js')).update(source, joined(flags)))
}
