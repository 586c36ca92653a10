import { type Command, Option } from 'commander'
import { permissions } from '../access/key-record.js'
import { withConfigFlags } from './flags.js'

/** `pegboard key …`, and `api-key …` with `delete` as RegistryTools calls them (002). */
export const addKeyCommands = (program: Command, joined: <Flags extends object>(flags: Flags) => Flags): void => {
  const key = program.command('key').alias('api-key').description('keys for callers over HTTP')

  withConfigFlags(key.command('create'))
    .description('make a key; it is shown once')
    .argument('<name>', 'what it is for')
    .addOption(new Option('--permission <level>', 'what it may do').choices(permissions).default('read'))
    .option('--expires-in <seconds>', 'how long it is good (default: for ever)')
    .option('--owner <name>', 'whose it is')
    .option('--profile <name>', 'the only profile it sees')
    .option('--json', 'machine-readable output')
    .action(async (name, flags) => (await import('./key.js')).createKey(name, joined(flags)))

  withConfigFlags(key.command('list'))
    .description('list the keys')
    .option('--owner <name>', 'only those of this owner')
    .option('--json', 'machine-readable output')
    .action(async (flags) => (await import('./key.js')).listKeys(joined(flags)))

  withConfigFlags(key.command('revoke').alias('delete'))
    .description('revoke a key; a running gateway refuses it within a second')
    .argument('<id>', 'its id, as `key list` shows it')
    .option('--json', 'machine-readable output')
    .action(async (id, flags) => (await import('./key.js')).revokeKey(id, joined(flags)))
}
