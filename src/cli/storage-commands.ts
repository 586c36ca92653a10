import { type Command, Option } from 'commander'
import { say } from '../serving/locale.js'
import { jsonHelp, withConfigFlags } from './flags.js'

/** `pegboard storage`, `storage move`, and the key of what is kept sealed. */
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

  const vault = program.command('vault').description(say('the key under which credentials lie', '凭据所用的保险库密钥'))

  withConfigFlags(vault.command('status', { isDefault: true }))
    .description(say('by which key credentials are sealed, and what does not open', '凭据由哪个密钥加密，哪些无法解密'))
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/vault.js')).showVault(joined(flags)))

  withConfigFlags(vault.command('rotate'))
    .description(
      say(
        'seal everything by the key of now, or by a new one where Pegboard keeps it; beside a running gateway too',
        '用当前密钥重新加密全部凭据；密钥由 Pegboard 保管时改用新密钥；网关运行时也可执行',
      ),
    )
    .option(
      '--from-default',
      say(
        'also open what the key of the data folder or of the fleet sealed, on the way to vault.key',
        '改用 vault.key 时，同时解密由数据目录或集群密钥加密的内容',
      ),
    )
    .option('--forget-unreadable', say('delete what no key here opens', '删除现有密钥都无法解密的内容'))
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/vault.js')).rotateVault(joined(flags)))
}
