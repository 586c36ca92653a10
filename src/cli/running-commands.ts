import type { Command } from 'commander'
import { withConfigFlags, withServerFlags } from './flags.js'

type Join = <Flags extends object>(flags: Flags) => Flags

/** The commands that ask a running gateway. */
export const addRunningCommands = (program: Command, joined: Join): void => {
  withAdminFlags(program.command('restart'))
    .description('end sources of the running gateway and start them again')
    .argument('<names...>', 'the source, or several')
    .action(async (names, flags) => (await import('./restart.js')).restart(names, joined(flags)))

  withAdminFlags(program.command('logs'))
    .description("the newest lines of the running gateway's log")
    .argument('[source]', 'only what concerns this source')
    .option('-f, --follow', 'go on with what comes')
    .option('-n, --lines <number>', 'how many at most', '50')
    .action(async (source, flags) => (await import('./logs.js')).logs(source, joined(flags)))

  withAdminFlags(program.command('stats'))
    .description('how the running gateway is doing')
    .action(async (flags) => (await import('./stats.js')).stats(joined(flags)))

  withAdminFlags(program.command('top'))
    .description('which tools are called, how often and how fast; live')
    .option('--once', 'one look instead of a live one')
    .action(async (flags) => (await import('./top.js')).top(joined(flags)))
}

const withAdminFlags = (command: Command): Command =>
  withServerFlags(command)
    .option('--key <key>', 'the admin key (default: PEGBOARD_ADMIN_KEY, or admin.key in the data folder)')
    .option('--json', 'machine-readable output')

/** The commands about what models see, and whether it is what somebody looked at. */
export const addLookCommands = (program: Command, joined: Join): void => {
  withConfigFlags(program.command('init'))
    .description('make a configuration: guided on a terminal, by options elsewhere')
    .option('--home <folder>', 'the home to look for clients in (default: yours)')
    .option('--yes', 'ask nothing')
    .option('--import', 'bring in the servers of other clients, switched off')
    .option('--enable', 'bring them in switched on')
    .option('--connect <clients...>', 'put the board into the configuration of these clients')
    .option('--json', 'machine-readable output')
    .action(async (flags) => (await import('./init.js')).init(joined(flags)))

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

  program
    .command('completion')
    .description('a completion script: eval "$(pegboard completion bash)"')
    .argument('<shell>', 'bash, zsh or fish')
    .action(async (shell) => (await import('./completion.js')).completion(shell, program))
}
