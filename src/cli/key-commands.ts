import { type Command, Option } from 'commander'
import { permissions } from '../access/key-record.js'
import { heldRoles } from '../model/role.js'
import { say } from '../serving/locale.js'
import { jsonHelp, withConfigFlags } from './flags.js'

/** `pegboard key …` and `pegboard who`, and `api-key …` with `delete` as RegistryTools calls them (002). */
export const addKeyCommands = (program: Command, joined: <Flags extends object>(flags: Flags) => Flags): void => {
  const key = program
    .command('key')
    .alias('api-key')
    .description(say('keys for callers over HTTP', 'HTTP 调用方使用的密钥'))

  withConfigFlags(key.command('create'))
    .description(say('make a key; it is shown once', '创建密钥；只显示一次'))
    .argument('<name>', say('what it is for', '密钥的用途'))
    .addOption(
      new Option('--role <role>', say('what it may do (default: caller)', '密钥的角色（默认：caller）')).choices(
        heldRoles,
      ),
    )
    .addOption(
      new Option(
        '--permission <level>',
        say(
          'the same in older words: read is caller, write is publisher',
          '旧的写法：read 即 caller，write 即 publisher',
        ),
      ).choices(permissions),
    )
    .option('--expires-in <seconds>', say('how long it is good (default: for ever)', '有效期，单位秒（默认：永久）'))
    .option('--owner <name>', say('whose it is', '密钥属于谁'))
    .option('--profile <name>', say('the only profile it sees', '只能使用的配置档（profile）'))
    .option(
      '--acts-for-accounts',
      say('its holder may name the account it asks for (x-account-id)', '持有者可指明代表哪个账户（x-account-id）'),
    )
    .option('--json', jsonHelp)
    .action(async (name, flags) => (await import('./commands/key.js')).createKey(name, joined(flags)))

  withConfigFlags(program.command('who'))
    .description(
      say(
        'what somebody may do here and why: which row of auth.grants counts, the role, the profiles',
        '某人在此能做什么、为什么：auth.grants 的哪一行生效，角色与配置档',
      ),
    )
    .argument(
      '[name]',
      say('somebody who was here (id, address, name), or a key', '来过的人（id、邮箱、名称），或密钥'),
    )
    .option(
      '--claims <json>',
      say(
        'the claims of a token as JSON, a file of them, or a name as above',
        '令牌的声明（JSON 或其文件），或上述名称',
      ),
    )
    .option('--scopes <words>', say('as under a token with these scopes', '按带有这些作用域的令牌计算'))
    .option('--json', jsonHelp)
    .action(async (name, flags) => (await import('./commands/who.js')).who(name, joined(flags)))

  withConfigFlags(key.command('list'))
    .description(say('list the keys', '列出密钥'))
    .option('--owner <name>', say('only those of this owner', '只列出该所有者的'))
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/key.js')).listKeys(joined(flags)))

  withConfigFlags(key.command('revoke').alias('delete'))
    .description(
      say('revoke a key; a running gateway refuses it within a second', '吊销密钥；运行中的网关会在一秒内拒绝它'),
    )
    .argument('<id>', say('its id, as `key list` shows it', '密钥的 id，见 `key list`'))
    .option('--json', jsonHelp)
    .action(async (id, flags) => (await import('./commands/key.js')).revokeKey(id, joined(flags)))
}
