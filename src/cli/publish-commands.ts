import { type Command, Option } from 'commander'
import { say } from '../serving/locale.js'
import { jsonHelp, withConfigFlags } from './flags.js'

type Join = <Flags extends object>(flags: Flags) => Flags

/** What this gateway lists as a registry of its own. */
export const addPublishCommands = (program: Command, joined: Join): void => {
  const publish = program
    .command('publish')
    .description(
      say(
        'the servers that clients and other gateways install from this one',
        '供客户端和其他网关从本网关安装的服务器',
      ),
    )

  withConfigFlags(publish.command('list'))
    .description(say('what is published, and what cannot be', '已发布的内容，以及无法发布的原因'))
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/publish.js')).listPublished(joined(flags)))

  withConfigFlags(publish.command('add'))
    .description(say('publish a source, or a whole server.json', '发布一个来源，或一份完整的 server.json'))
    .argument('<name>', say('the source, or any name with --server', '来源名称；使用 --server 时可为任意名称'))
    .option(
      '--name <name>',
      say('its name in the registry, as in com.example/docs', '在注册表中的名称，例如 com.example/docs'),
    )
    .option('--version <version>', say('its version (default: that of its package)', '版本（默认：其软件包的版本）'))
    .option('--title <text>', say('its title', '标题'))
    .option('--description <text>', say('what it does, in 100 characters', '它做什么，不超过 100 个字符'))
    .addOption(
      new Option(
        '--as <way>',
        say(
          'as its own package or address, as this gateway, or both',
          '以其自身的软件包或地址（own）、以本网关（gateway），或两者（both）',
        ),
      ).choices(['own', 'gateway', 'both']),
    )
    .option('--profile <name>', say('the profile of this gateway that others get', '他人得到的本网关的配置档'))
    .option('--server <file>', say('a server.json to publish as it is', '原样发布的 server.json'))
    .addOption(
      new Option('--status <status>', say('active, deprecated or deleted', 'active、deprecated 或 deleted')).choices([
        'active',
        'deprecated',
        'deleted',
      ]),
    )
    .option('--status-message <text>', say('why it is no longer active', '为何不再有效'))
    .option('--json', jsonHelp)
    .action(async (name, flags) => (await import('./commands/publish.js')).publishSource(name, joined(flags)))

  withConfigFlags(publish.command('remove'))
    .description(say('publish it no longer', '不再发布'))
    .argument('<name>', say('as `list` names it', '名称，同 `list`'))
    .option('--json', jsonHelp)
    .action(async (name, flags) => (await import('./commands/publish.js')).unpublish(name, joined(flags)))
}
