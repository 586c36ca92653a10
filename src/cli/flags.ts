import { type Command, Option } from 'commander'
import type { ConfigFlags } from '../config/layers.js'
import type { LoadedConfig } from '../config/load.js'

/** The options that every command has. RegistryTools' names are kept as they are (002). */
export interface CommonFlags extends ConfigFlags {
  readonly config?: string
  readonly json?: boolean
}

const configuration = 'Configuration:'
const serving = 'Server:'

/** Options that many commands share, in the order in which a help shows them, behind the command's own. */
export const sharedGroups: readonly string[] = [configuration, serving]

const shared = (group: string, flags: string, description: string, choices?: readonly string[]): Option => {
  const option = new Option(flags, description).helpGroup(group)
  return choices === undefined ? option : option.choices(choices)
}

export const withConfigFlags = (command: Command): Command =>
  [
    shared(
      configuration,
      '-c, --config <file>',
      'configuration file (default: pegboard.json, .jsonc, .yaml or .yml here)',
    ),
    shared(configuration, '--data-path <folder>', 'where data is kept'),
    shared(configuration, '--storage-backend <name>', 'how data is kept', ['json', 'sqlite', 'memory']),
    shared(configuration, '--log-level <level>', 'how much to log', ['debug', 'info', 'warn', 'error']),
    shared(configuration, '--log-format <format>', 'how to log', ['line', 'json']),
    shared(configuration, '--log-file <file>', 'log into this file too'),
  ].reduce((to, option) => to.addOption(option), command)

/** How models search a board that is served. */
export const withSearchFlag = (command: Command): Command =>
  command.addOption(
    shared(serving, '--search-method <name>', 'how tools are found where the caller does not say it', [
      'auto',
      'bm25',
      'regex',
      'embedding',
    ]),
  )

export const withServerFlags = (command: Command): Command =>
  [
    shared(serving, '--transport <name>', 'how clients reach us', ['stdio', 'http']),
    shared(serving, '--host <address>', 'address to listen on (default: 127.0.0.1)'),
    shared(serving, '--port <number>', 'port to listen on (default: 8000)'),
    shared(serving, '--path <path>', 'path of the MCP endpoint (default: /mcp)'),
    shared(serving, '--enable-auth', 'ask every caller over HTTP for a key (see: pegboard key)'),
    shared(serving, '--token <token>', 'bearer token that callers must send (better: PEGBOARD_TOKEN)'),
  ].reduce((to, option) => to.addOption(option), withSearchFlag(withConfigFlags(command)))

/**
 * Loaded when a command wants it: `--help` must not pay for the schema of the configuration. What is wrong with one source
 * sets that source aside (U2) unless `strict`; whatever else is wrong is thrown.
 */
export const readConfig = async (flags: CommonFlags, how?: 'strict'): Promise<LoadedConfig> => {
  const { loadConfig } = await import('../config/load.js')
  return loadConfig({ file: flags.config, cwd: process.cwd(), env: process.env, flags, strict: how === 'strict' })
}
