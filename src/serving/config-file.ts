import { resolve } from 'node:path'
import { findConfigFile, firstFile } from '../config/find.js'
import { parseConfig } from '../config/parse.js'
import { readConfigBytes } from '../config/read.js'
import { shapeConfig } from '../config/shapes.js'
import { isGatewayError } from '../errors.js'
import type { CommonFlags } from './read-config.js'

/**
 * The file that a command changes: the one that is named or found, or `pegboard.json` here, which it then makes. With
 * `here` not the user's own: for a command that makes one.
 */
export const configFileOf = async (flags: CommonFlags, here?: 'here'): Promise<string> => {
  if (flags.config !== undefined) return resolve(flags.config)
  const place = { cwd: process.cwd(), env: process.env }
  const { file, by } = await findConfigFile(place)
  return file === undefined || (here && by === 'user') ? firstFile(place) : file
}

export type WrittenSources = ReadonlyMap<string, Readonly<Record<string, unknown>>>

/** The sources as they are written, references and all; none where the file does not exist yet. */
export const writtenSources = async (file: string): Promise<WrittenSources> => {
  try {
    const { value } = await parseConfig(await readConfigBytes(file), file)
    return shapeConfig(value).sources
  } catch (error) {
    if (isGatewayError(error) && error.code === 'CONFIG_UNREADABLE' && isMissing(error.cause)) return new Map()
    throw error
  }
}

const isMissing = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
