import { Command } from 'commander'
import { systemClock } from '../model/clock.js'
import { addClientCommands, addCompletion, addDoctor, addInit } from './client-commands.js'
import { type CommonFlags, readConfig, withConfigFlags, withSearchFlag, withServerFlags } from './flags.js'
import { completeHelp } from './help.js'
import { addKeyCommands } from './key-commands.js'
import { addLookCommands } from './look-commands.js'
import { addRunningCommands } from './running-commands.js'
import { unknownCommand, usageError } from './usage.js'
import { version } from './version.js'
import { holdYoungGeneration } from './young-generation.js'

// Commands are imported when they run: `--help` must not pay for a gateway.
/** Everything that can be typed. Also what the reference in docs/cli.md and the shell completions are made from. */
export const program = new Command('pegboard')
  .description('One board for every tool your AI agents use.')
  .version(version, '-V, --version')
  .showSuggestionAfterError()
  .configureOutput({ outputError: usageError })
  // Without it, an option that the program knows too never reaches the command behind which it was written.
  .enablePositionalOptions()

/** An option may stand before or behind the command; behind it, it is meant for it. */
const joined = <Flags extends object>(flags: Flags): Flags => ({ ...program.opts<Partial<Flags>>(), ...flags })

const serve = async (flags: CommonFlags): Promise<void> => {
  const onSettled = holdYoungGeneration(systemClock)
  return (await import('./serve.js')).serve(flags, onSettled)
}

const stdio = async (flags: CommonFlags & { readonly profile?: string }): Promise<void> => {
  const onSettled = holdYoungGeneration(systemClock)
  return (await import('./stdio.js')).stdio(flags, onSettled)
}

withServerFlags(program)
  .option('--json', 'machine-readable output')
  .action(async (flags: CommonFlags) => {
    if (program.args.length > 0) throw unknownCommand(program.args[0]!, program)
    // At a terminal without any of these nothing is read: an explanation must not fail on somebody's file.
    const isTold = flags.transport ?? process.env.PEGBOARD_TRANSPORT ?? process.env.REGISTRYTOOLS_TRANSPORT
    const reads = isTold !== undefined || flags.config !== undefined || !process.stdin.isTTY
    const transport = reads ? (await readConfig(flags)).config.server.transport : undefined
    if (transport === 'http') return serve(flags)
    // A client that starts us speaks over a pipe; a person at a terminal wants to know what this is.
    if (transport === 'stdio' || !process.stdin.isTTY) return stdio(flags)
    return (await import('./explain.js')).explain(program)
  })

program.commandsGroup('Begin:')
addInit(program, joined)
addClientCommands(program, joined)
addDoctor(program, joined)

program.commandsGroup('Serve:')
withServerFlags(program.command('serve'))
  .description('serve all tools over HTTP: MCP at /mcp, in both protocol eras')
  .option('--json', 'no greeting')
  .action(async (own: CommonFlags) => {
    const flags = joined(own)
    if (flags.transport === 'stdio') return stdio(flags)
    return serve(flags)
  })

withSearchFlag(withConfigFlags(program.command('stdio')))
  .description('serve all tools over standard input and output, as the child process of a client')
  .option('--profile <name>', 'the profile to serve', 'default')
  .action(async (flags) => stdio(joined(flags)))

program.commandsGroup('Use tools:')
withConfigFlags(program.command('list'))
  .description('list the tools of all sources')
  .option('--sources', 'list the sources and their states instead')
  .option('--json', 'machine-readable output')
  .action(async (flags) => (await import('./list.js')).list(joined(flags)))

withConfigFlags(program.command('call'))
  .description('call a tool')
  .argument('<tool>', 'its id, such as calc.add')
  .argument('[arguments...]', 'key=value; text where the tool takes text, else JSON where it is JSON')
  .option('--args-json <json>', 'all arguments as one JSON object; - reads it from standard input')
  .option('--json', 'machine-readable output')
  .action(async (tool, pairs, flags) => (await import('./call.js')).call(tool, pairs, joined(flags)))

withConfigFlags(program.command('search'))
  .description('find tools by words, in English or Chinese')
  .argument('<words...>', 'what the tool should do')
  .option('--method <name>', 'auto, bm25, regex or embedding')
  .option('--limit <number>', 'how many at most', '10')
  .option('--json', 'machine-readable output')
  .action(async (words, flags) => (await import('./look.js')).search(words, joined(flags)))

withConfigFlags(program.command('inspect'))
  .description('all that is known of a tool or a source')
  .argument('<name>', 'a tool id or a source name')
  .option('--json', 'machine-readable output')
  .action(async (name, flags) => (await import('./inspect.js')).inspect(name, joined(flags)))

program.commandsGroup('Change sources:')
withConfigFlags(program.command('add'))
  .description('add a source: a command after --, a URL, or an OpenAPI document')
  .argument('<name>', 'what to call it')
  .argument(
    '<command-or-url...>',
    'a URL, the path or URL of an OpenAPI document, or -- and the command with its arguments',
  )
  .option('-e, --env <NAME=value...>', 'variables for the command')
  .option('-H, --header <Name:value...>', 'headers for the URL')
  .option('--cwd <folder>', 'where to run the command')
  .option('--namespace <name>', 'before the names of its tools (default: the name)')
  .option('--type <name>', 'http, sse, websocket or openapi, where the URL does not say it')
  .option('--base-url <url>', 'where the calls of an OpenAPI document go')
  .option('--disabled', 'add it switched off')
  .option('--json', 'machine-readable output')
  .action(async (name, rest, flags) => (await import('./edit-sources.js')).add(name, rest, joined(flags)))

for (const [verb, what] of [
  ['remove', 'take a source out of the configuration'],
  ['enable', 'switch a source on'],
  ['disable', 'switch a source off'],
] as const)
  withConfigFlags(program.command(verb))
    .description(what)
    .argument('<names...>', 'the source, or several')
    .option('--json', 'machine-readable output')
    .action(async (names: readonly string[], own) => {
      const commands = await import('./edit-sources.js')
      const flags = joined(own)
      return verb === 'remove' ? commands.remove(names, flags) : commands.setEnabled(names, verb === 'enable', flags)
    })

program.commandsGroup('Decide who sees what:')
withConfigFlags(program.command('check'))
  .description('check the configuration')
  .option('--json', 'machine-readable output')
  .action(async (flags) => (await import('./check.js')).check(joined(flags)))

const config = program.command('config').description('the configuration')
withConfigFlags(config.command('check'))
  .description('check it')
  .option('--json', 'machine-readable output')
  .action(async (flags) => (await import('./check.js')).check(joined(flags)))
config
  .command('schema')
  .description('its JSON Schema, for editors')
  .option('--json', 'as it is anyway')
  .action(async () => (await import('./look.js')).showSchema())
withConfigFlags(config.command('show'))
  .description('what is in force, secrets left out')
  .option('--json', 'as it is anyway')
  .action(async (flags) => (await import('./look.js')).showConfig(joined(flags)))

addKeyCommands(program, joined)
addLookCommands(program, joined)

program.commandsGroup('A running gateway:')
addRunningCommands(program, joined)
const xiaozhi = program.command('xiaozhi').description('endpoints of xiaozhi voice devices')
withServerFlags(xiaozhi.command('status'))
  .description('how the endpoints of the running gateway are')
  .option('--json', 'machine-readable output')
  .action(async (flags) => (await import('./xiaozhi.js')).status(joined(flags)))
withServerFlags(xiaozhi.command('test'))
  .description('run a dialogue through an endpoint, and name the part that fails')
  .argument('[number]', 'which endpoint, as `status` counts them', '1')
  .option('--local', 'against a far side on this machine instead')
  .option('--tool <name>', 'the tool to call (default: one that is harmless and needs no arguments)')
  .option('--args-json <json>', 'its arguments as one JSON object')
  .option('--wait <ms>', 'how long to wait for the far side', '20000')
  .option('--json', 'machine-readable output')
  .action(async (number, flags) => (await import('./xiaozhi.js')).test(number, joined(flags)))

program.commandsGroup('This shell:')
addCompletion(program)
program.helpCommand('help [command]', 'how a command is used')

completeHelp(program)

// Last, since commands inherit it: a word that is no command is for the program's own action, which knows what was meant.
program.allowExcessArguments()
