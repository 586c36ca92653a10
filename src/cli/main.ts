#!/usr/bin/env node
import { Command } from 'commander'
import { reportFailure } from './exit.js'
import { type CommonFlags, withConfigFlags, withServerFlags } from './flags.js'
import { version } from './version.js'

// Commands are imported when they run: `--help` must not pay for a gateway.
const program = new Command('pegboard')
  .description('One board for every tool your AI agents use.')
  .version(version, '-V, --version')
  .showSuggestionAfterError()
  // Without it, an option that the program knows too never reaches the command behind which it was written.
  .enablePositionalOptions()
  .configureHelp({ showGlobalOptions: true })

/** An option may stand before or behind the command; behind it, it is meant for it. */
const joined = <Flags extends object>(flags: Flags): Flags => ({ ...program.opts<Partial<Flags>>(), ...flags })

withServerFlags(program)
  .option('--json', 'machine-readable output')
  .action(async (flags: CommonFlags) => {
    const transport = flags.transport ?? process.env.PEGBOARD_TRANSPORT ?? process.env.REGISTRYTOOLS_TRANSPORT
    if (transport === 'http') return (await import('./serve.js')).serve(flags)
    // A client that starts us speaks over a pipe; a person at a terminal wants to know what this is.
    if (transport === 'stdio' || !process.stdin.isTTY) return (await import('./stdio.js')).stdio(flags)
    return (await import('./explain.js')).explain(program)
  })

withServerFlags(program.command('serve'))
  .description('serve all tools over HTTP: MCP at /mcp, in both protocol eras')
  .option('--json', 'no greeting')
  .action(async (own: CommonFlags) => {
    const flags = joined(own)
    if (flags.transport === 'stdio') return (await import('./stdio.js')).stdio(flags)
    return (await import('./serve.js')).serve(flags)
  })

withConfigFlags(program.command('stdio'))
  .description('serve all tools over standard input and output, as the child process of a client')
  .option('--profile <name>', 'the profile to serve', 'default')
  .action(async (flags) => (await import('./stdio.js')).stdio(joined(flags)))

withConfigFlags(program.command('list'))
  .description('list the tools of all sources')
  .option('--sources', 'list the sources and their states instead')
  .option('--json', 'machine-readable output')
  .action(async (flags) => (await import('./list.js')).list(joined(flags)))

withConfigFlags(program.command('call'))
  .description('call a tool')
  .argument('<tool>', 'its id, such as calc.add')
  .argument('[arguments...]', 'key=value; values are read as JSON where they are JSON')
  .option('--args-json <json>', 'all arguments as one JSON object; - reads it from standard input')
  .option('--json', 'machine-readable output')
  .action(async (tool, pairs, flags) => (await import('./call.js')).call(tool, pairs, joined(flags)))

withConfigFlags(program.command('check'))
  .description('check the configuration')
  .option('--json', 'machine-readable output')
  .action(async (flags) => (await import('./check.js')).check(joined(flags)))

const wantsJson = process.argv.includes('--json')
program.parseAsync().catch((error: unknown) => {
  process.exitCode = reportFailure(error, wantsJson)
})
