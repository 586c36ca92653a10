import { type Command, Option } from 'commander'
import type { ConfigFlags } from '../config/layers.js'
import type { LoadedConfig } from '../config/load.js'

/** The options that every command has. RegistryTools' names are kept as they are (002). */
export interface CommonFlags extends ConfigFlags {
  readonly config?: string
  readonly json?: boolean
}

export const withConfigFlags = (command: Command): Command =>
  command
    .option('-c, --config <file>', 'configuration file (default: pegboard.json, .jsonc, .yaml or .yml here)')
    .option('--data-path <folder>', 'where data is kept')
    .addOption(new Option('--storage-backend <name>', 'how data is kept').choices(['json', 'sqlite', 'memory']))
    .addOption(new Option('--log-level <level>', 'how much to log').choices(['debug', 'info', 'warn', 'error']))
    .addOption(new Option('--log-format <format>', 'how to log').choices(['line', 'json']))
    .option('--log-file <file>', 'log into this file too')

/** How models search a board that is served. */
export const withSearchFlag = (command: Command): Command =>
  command.addOption(
    new Option('--search-method <name>', 'how tools are found where the caller does not say it').choices([
      'auto',
      'bm25',
      'regex',
      'embedding',
    ]),
  )

export const withServerFlags = (command: Command): Command =>
  withSearchFlag(withConfigFlags(command))
    .addOption(new Option('--transport <name>', 'how clients reach us').choices(['stdio', 'http']))
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--port <number>', 'port to listen on (default: 8000)')
    .option('--path <path>', 'path of the MCP endpoint (default: /mcp)')
    .option('--enable-auth', 'ask every caller over HTTP for a key (see: pegboard key)')
    .option('--token <token>', 'bearer token that callers must send (better: PEGBOARD_TOKEN)')

/** Loaded when a command wants it: `--help` must not pay for the schema of the configuration. */
export const readConfig = async (flags: CommonFlags): Promise<LoadedConfig> => {
  const { loadConfig } = await import('../config/load.js')
  return loadConfig({ file: flags.config, cwd: process.cwd(), env: process.env, flags })
}
