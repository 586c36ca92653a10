import type { Command } from 'commander'
import { withConfigFlags, withServerFlags } from './flags.js'

type Join = <Flags extends object>(flags: Flags) => Flags

const clientNames =
  'claude-desktop, claude-code, cursor, vscode, windsurf, gemini, codex, cline, xiaozhi or cherry-studio'

/** The commands about other programs' configurations. */
export const addClientCommands = (program: Command, joined: Join): void => {
  withConfigFlags(program.command('import'))
    .description('bring the servers of other programs onto the board; their files are only read')
    .argument('[clients...]', `${clientNames}, or a file (default: all that are found)`)
    .option('--home <folder>', 'the home to look in (default: yours)')
    .option('--yes', 'add them without asking, switched off')
    .option('--enable', 'add them without asking, switched on')
    .option('--dry-run', 'only show what would be added')
    .option('--json', 'machine-readable output')
    .action(async (words, flags) => (await import('./import.js')).importSources(words, joined(flags)))

  withReachFlags(withServerFlags(program.command('connect')))
    .description("put the board into a client's configuration; a backup is kept")
    .argument('<client>', clientNames)
    .option('--file <file>', "the client's file, where it is not in its usual place")
    .option('--project', 'for this folder only, where the client knows such files')
    .option('--undo', 'take it back: the file is as it was, byte for byte')
    .option('--yes', 'write without asking')
    .option('--dry-run', 'only show what would be written')
    .option('--json', 'machine-readable output')
    .action(async (client, flags) => (await import('./connect.js')).connect(client, joined(flags)))

  withReachFlags(withServerFlags(program.command('export')))
    .description(
      "the catalog as JSON, the tool list for a model provider, or what to paste into a client's configuration",
    )
    .argument('[client]', clientNames)
    .option('--format <name>', 'openai, openai-responses, openai-strict, anthropic, gemini, mcp or kwargs')
    .option('--json', 'machine-readable output')
    .action(async (client: string | undefined, own) => {
      const flags = joined(own)
      if (client !== undefined) return (await import('./snippet.js')).printSnippet(client, flags)
      return (await import('./look.js')).exportTools(flags)
    })
}

/** `init` joins the others: a configuration, what other clients have, and clients that use it. */
export const addInit = (program: Command, joined: Join): void => {
  withConfigFlags(program.command('init'))
    .description('make a configuration: guided on a terminal, by options elsewhere')
    .option('--home <folder>', 'the home to look for clients in (default: yours)')
    .option('--yes', 'ask nothing')
    .option('--import', 'bring in the servers of other clients, switched off')
    .option('--enable', 'bring them in switched on')
    .option('--connect <clients...>', 'put the board into the configuration of these clients')
    .option('--json', 'machine-readable output')
    .action(async (flags) => (await import('./init.js')).init(joined(flags)))
}

/** Completion knows the commands by asking the program. */
export const addCompletion = (program: Command): void => {
  program
    .command('completion')
    .description('a completion script: eval "$(pegboard completion bash)"')
    .argument('<shell>', 'bash, zsh or fish')
    .action(async (shell) => (await import('./completion.js')).completion(shell, program))
}

/** `doctor` looks at both sides of the board. */
export const addDoctor = (program: Command, joined: Join): void => {
  withServerFlags(program.command('doctor'))
    .description('check everything between clients and tools; says what to do about what is wrong')
    .option('--home <folder>', 'the home to look for clients in (default: yours)')
    .option('--json', 'machine-readable output')
    .action(async (flags) => (await import('./doctor.js')).doctor(joined(flags)))
}

const withReachFlags = (command: Command): Command =>
  command
    .option('--http', 'reach the running gateway by its address instead of starting one')
    .option('--name <name>', 'what the client calls us (default: pegboard)')
    .option('--profile <name>', 'the profile that the client sees')
    .option('--home <folder>', 'the home to look in (default: yours)')
