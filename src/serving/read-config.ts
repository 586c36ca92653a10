import type { LoadedConfig } from '../config/load.js'
import type { ConfigFlags } from '../config/settings/table.js'
import { program } from './version.js'

/** The options that every command has. RegistryTools' names are kept as they are (002). */
export interface CommonFlags extends ConfigFlags {
  readonly config?: string | undefined
  readonly json?: boolean | undefined
}

/**
 * Loaded when a command wants it: `--help` must not pay for the schema of the configuration. What is wrong with one source
 * sets that source aside (U2) unless `strict`; whatever else is wrong is thrown.
 */
export const readConfig = async (flags: CommonFlags, how?: 'strict'): Promise<LoadedConfig> => {
  const { loadConfig } = await import('../config/load.js')
  const { config: file } = flags
  return loadConfig({ file, cwd: process.cwd(), env: process.env, flags, program, strict: how === 'strict' })
}
