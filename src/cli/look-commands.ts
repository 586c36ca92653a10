import type { Command } from 'commander'
import { withConfigFlags } from './flags.js'

type Join = <Flags extends object>(flags: Flags) => Flags

/** The commands about what models see, and whether it is what somebody looked at. */
export const addLookCommands = (program: Command, joined: Join): void => {
  const profile = program.command('profile').description('what clients see, and what it costs')
  withConfigFlags(profile.command('list'))
    .description('all profiles with the tokens that their tool lists take')
    .option('--json', 'machine-readable output')
    .action(async (flags) => (await import('./profile.js')).listProfiles(joined(flags)))
  withConfigFlags(profile.command('show'))
    .description('the tools that a client of this profile is shown')
    .argument('[name]', 'the profile', 'default')
    .option('--json', 'machine-readable output')
    .action(async (name, flags) => (await import('./profile.js')).showProfile(name, joined(flags)))

  const lock = program
    .command('lock')
    .description('tool definitions that somebody looked at, in a file for version control')
  withConfigFlags(lock.command('write'))
    .description('lock the definitions as they are now')
    .option('--json', 'machine-readable output')
    .action(async (flags) => (await import('./lock.js')).writeLock(joined(flags)))
  withConfigFlags(lock.command('diff'))
    .description('what has changed since; ends with 1 if anything has')
    .option('--json', 'machine-readable output')
    .action(async (flags) => (await import('./lock.js')).diffLock(joined(flags)))
  withConfigFlags(lock.command('approve'))
    .description('take tools as they are now')
    .argument('[tools...]', 'their ids')
    .option('--all', 'all of them; those that are gone are forgotten')
    .option('--json', 'machine-readable output')
    .action(async (tools, flags) => (await import('./lock.js')).approveLock(tools, joined(flags)))
}
