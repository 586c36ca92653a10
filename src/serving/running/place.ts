import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ownDataFolder } from '../../config/data-folder.js'
import { findConfigFile } from '../../config/find.js'
import { expandHome, readLayers } from '../../config/layers.js'
import { contentHash, readConfigBytes } from '../../config/read.js'
import { type CommonFlags, readConfig } from '../read-config.js'
import { program } from '../version.js'
import type { Claim } from './dial.js'

/** Which board a command means: where its run record would be, and what the gateway there has to serve. */
export interface BoardLocation {
  readonly dataFolder: string
  readonly claim: Claim
}

/**
 * Found without reading the whole configuration, which costs more than the question. Undefined where no gateway could be
 * found, and where the configuration cannot be read: whoever reads it says why.
 */
export const locate = async (flags: CommonFlags): Promise<BoardLocation | undefined> => {
  const { env } = process
  const cwd = process.cwd()
  try {
    const { here } = flags
    const { file } = await findConfigFile({ named: flags.config, cwd, env, here })
    const bytes = file === undefined ? undefined : await readConfigBytes(file)
    const toldOf = toldIn(flags)
    const dataFolder = await dataFolderOf(toldOf('storage.path'), bytes, flags)
    if (dataFolder === undefined || toldOf('storage.backend') === 'memory') return undefined
    const claim = {
      ...(await meant(file, cwd, here)),
      hash: bytes && contentHash(bytes),
      search: toldOf('search.method'),
      backend: toldOf('storage.backend'),
      instructions: toldOf('server.instructions'),
      program,
      port: flags.port === undefined ? undefined : String(flags.port),
    }
    return { dataFolder, claim }
  } catch {
    return undefined
  }
}

/** The file, or the folder without one. Whoever means neither takes the gateway that its user runs. */
const meant = async (file: string | undefined, cwd: string, here = true): Promise<Claim> => {
  if (file !== undefined) return { file: await realpath(file) }
  return here ? { folder: cwd } : { any: 'yes' }
}

/** What `pegboard` without a command serves, where somebody says it; the file is understood only if it says something of it. */
export const transportOf = async (flags: CommonFlags): Promise<string | undefined> => {
  const told = toldIn(flags)('server.transport')
  if (told !== undefined) return (await readConfig(flags)).config.server.transport
  const { file } = await findConfigFile({ named: flags.config, cwd: process.cwd(), env: process.env, here: flags.here })
  const says = file !== undefined && (await readConfigBytes(file)).includes('transport')
  return says ? (await readConfig(flags)).config.server.transport : undefined
}

/** What flags and environment say of a setting. */
const toldIn = (flags: CommonFlags): ((path: string) => string | undefined) => {
  const { overrides } = readLayers(flags, process.env)
  return (path) => {
    const value = overrides.find((each) => each.path.join('.') === path)?.value
    return value === undefined ? undefined : String(value)
  }
}

// Only a file that says something about storage has to be understood.
const dataFolderOf = async (
  told: string | undefined,
  bytes: Buffer | undefined,
  flags: CommonFlags,
): Promise<string | undefined> => {
  // Also by a variable that FastMCP's file sets.
  if (bytes?.includes('storage') || bytes?.includes('_DATA_PATH') || bytes?.includes('_STORAGE_')) {
    const { config, dataFolder } = await readConfig(flags)
    return config.storage.backend === 'memory' ? undefined : dataFolder
  }
  return told === undefined ? ownDataFolder(process.env, program) : resolve(expandHome(told, process.env))
}
