import type { Command } from 'commander'
import { withServerFlags } from './flags.js'

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

  withAdminFlags(program.command('parked'))
    .description('calls that wait until their callers answer a question')
    .option('--cancel <id>', 'end this one')
    .action(async (flags) => (await import('./parked.js')).parked(joined(flags)))

  withAdminFlags(program.command('auth'))
    .description('sign in at a remote server, in a browser; without a name, how the sources are signed in')
    .argument('[source]', 'the source that wants a sign-in')
    .option('--sign-out', 'forget the sign-in of this source')
    .action(async (source, flags) => (await import('./auth.js')).auth(source, joined(flags)))

  withAdminFlags(program.command('top'))
    .description('which tools are called, how often and how fast; live')
    .option('--once', 'one look instead of a live one')
    .action(async (flags) => (await import('./top.js')).top(joined(flags)))
}

const withAdminFlags = (command: Command): Command =>
  withServerFlags(command)
    .option('--key <key>', 'the admin key (default: PEGBOARD_ADMIN_KEY, or admin.key in the data folder)')
    .option('--json', 'machine-readable output')
