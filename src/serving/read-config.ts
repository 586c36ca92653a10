import type { ConfigChange } from '../config/config-change.js'
import type { LoadedConfig, LoadOptions, WrittenConfig } from '../config/load.js'
import type { ConfigFlags } from '../config/settings/table.js'
import type { Trust } from './trust/vet.js'
import { program } from './version.js'

/** The options that every command has. RegistryTools' names are kept as they are (002). */
export interface CommonFlags extends ConfigFlags {
  readonly config?: string | undefined
  readonly json?: boolean | undefined
  /** False where the working folder is somebody else's choice: then no file is looked for in it (S1). Default: true. */
  readonly here?: boolean | undefined
}

/**
 * Loaded when a command wants it: `--help` must not pay for the schema of the configuration. What is wrong with one source
 * sets that source aside (U2); whatever else is wrong is thrown, and so is a file that nobody said yes to (S1): whatever
 * starts something, sends something or writes where the file says reads it by this.
 */
export const readConfig = async (flags: CommonFlags): Promise<LoadedConfig> =>
  (await trustedLoader(flags))({ ...optionsOf(flags), strict: false })

/**
 * The same for those who only look at it: nothing of it may be started, asked or written to. What an untrusted file refers
 * to, commands among it, is not looked up either.
 */
export const lookAtConfig = async (
  flags: CommonFlags,
  how?: 'strict',
  changes?: readonly ConfigChange[],
): Promise<LoadedConfig> => {
  const { loadConfig } = await import('../config/load.js')
  const withhold = async (written: WrittenConfig): Promise<readonly string[] | 'all'> => {
    const trust = await trustOf(written, flags)
    if (trust.state === 'trusted') return []
    return trust.state === 'pending' ? trust.sources : 'all'
  }
  return loadConfig({ ...optionsOf(flags), strict: how === 'strict', withhold, changes })
}

/** The file as it is written, and no more. */
export const lookAtFile = async (flags: CommonFlags): Promise<WrittenConfig> => {
  const { readWritten } = await import('../config/load.js')
  return (await readWritten(optionsOf(flags))).written
}

/** Whether what was looked at may run. */
export const trustOf = async (written: WrittenConfig, flags: CommonFlags): Promise<Trust> => {
  const { judge } = await import('./trust/vet.js')
  return judge(written, async () => (await import('./trust/book.js')).openTrustBook(flags))
}

/** What `openBoard` asks of the files that the command line finds. */
export const openTrust = async (flags: CommonFlags) => ({
  load: await trustedLoader(flags),
  writes: await (await import('./trust/own-writes.js')).openOwnWrites(flags),
})

/** Loads a configuration as far as it may run, or throws; `inForce` is what runs. */
export type LoadTrusted = (options: LoadOptions, inForce?: LoadedConfig) => Promise<LoadedConfig>

const trustedLoader = async (flags: CommonFlags): Promise<LoadTrusted> => {
  const { loadConfig } = await import('../config/load.js')
  const { namedNote, trustCommand, untrusted, withPending } = await import('./trust/vet.js')
  return async (options, inForce) => {
    let pending: readonly string[] = []
    // Before anything that the file names is read or run.
    const withhold = async (written: WrittenConfig): Promise<readonly string[]> => {
      const trust = await trustOf(written, flags)
      if (trust.state === 'pending') pending = trust.sources
      // Taken back while it runs: its sources stop, and nobody has to guess what a gateway without settings is.
      else if (trust.state === 'unknown' && isAsBefore(written, inForce))
        pending = [...written.fingerprint().sources.keys()]
      else if (trust.state !== 'trusted') throw untrusted(written.file!, trust, trustCommand(written.file!, flags))
      return pending
    }
    const loaded = await loadConfig({ ...options, withhold })
    const noted = { ...loaded, notes: [...loaded.notes, ...(await namedNote(loaded))] }
    return pending.length === 0 ? noted : withPending(noted, pending, trustCommand(loaded.file!, flags))
  }
}

const optionsOf = (flags: CommonFlags): LoadOptions => ({
  file: flags.config,
  here: flags.here,
  cwd: process.cwd(),
  env: process.env,
  flags,
  program,
})

const isAsBefore = (written: WrittenConfig, inForce: LoadedConfig | undefined): boolean =>
  inForce?.file === written.file && written.fingerprint().settings === inForce?.fingerprint().settings
