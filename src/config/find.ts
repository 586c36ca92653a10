import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { expandHome } from './layers.js'
import type { ConfigNote } from './problems.js'
import type { Environment } from './variables.js'

/** The names that are looked for in the working folder; the first that exists is taken. */
export const configFileNames = ['pegboard.json', 'pegboard.jsonc', 'pegboard.yaml', 'pegboard.yml'] as const

// The second is the name of document 001 (001-24).
const variables = ['PEGBOARD_CONFIG', 'MCP_AGENT_CONFIG'] as const

export interface FoundFile {
  /** Absolute; undefined when there is none, and the defaults are the configuration. */
  readonly file: string | undefined
  readonly notes: readonly ConfigNote[]
}

/** The file that a flag or a variable names, whether it exists or not, else one in the working folder. */
export const findConfigFile = async (named: string | undefined, cwd: string, env: Environment): Promise<FoundFile> => {
  const told = named ?? variables.map((name) => env[name]?.trim()).find(Boolean)
  if (told !== undefined) return { file: resolve(cwd, expandHome(told, env)), notes: [] }
  const present: string[] = []
  for (const name of configFileNames) if (await exists(join(cwd, name))) present.push(join(cwd, name))
  const [file, ...others] = present
  const notes = others.map((other) => ({
    path: basename(other),
    message: `is ignored: ${basename(file!)} in the same folder is taken`,
  }))
  return { file, notes }
}

// Anything but "not there" counts: a file that we may not read is an error to report, not a reason for the defaults.
const exists = async (file: string): Promise<boolean> => {
  try {
    await stat(file)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT')
  }
}
