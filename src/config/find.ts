import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { ownConfigFolder } from './data-folder.js'
import { expandHome } from './layers.js'
import type { ConfigNote } from './problems.js'
import type { Environment } from './variables.js'

/** The names that are looked for in a folder; the first that exists is taken. */
export const configFileNames = ['pegboard.json', 'pegboard.jsonc', 'pegboard.yaml', 'pegboard.yml'] as const

// The second is the name of document 001 (001-24).
const variables = ['PEGBOARD_CONFIG', 'MCP_AGENT_CONFIG'] as const

/**
 * How a file came to be the one: by a flag or a variable, as the user's own, or because it lies in the working folder. The
 * last is nobody's word: whoever can put a file there may have put it.
 */
export type FoundBy = 'flag' | 'variable' | 'user' | 'folder'

export interface FoundFile {
  /** Absolute; undefined when there is none, and the defaults are the configuration. */
  readonly file: string | undefined
  readonly by: FoundBy | undefined
  readonly notes: readonly ConfigNote[]
}

/** Where a file is looked for. */
export interface Whereabouts {
  /** By `--config`. */
  readonly named?: string | undefined
  readonly cwd: string
  readonly env: Environment
  /** False leaves the working folder alone: a client starts us in whichever folder it likes (S1). Default: true. */
  readonly here?: boolean | undefined
}

/** The file that a flag or a variable names, whether it exists or not, else one in the working folder, else the user's own. */
export const findConfigFile = async ({ named, cwd, env, here = true }: Whereabouts): Promise<FoundFile> => {
  const at = (file: string): string => resolve(cwd, expandHome(file, env))
  if (named !== undefined) return { file: at(named), by: 'flag', notes: [] }
  const told = variables.map((name) => env[name]?.trim()).find(Boolean)
  if (told !== undefined) return { file: at(told), by: 'variable', notes: [] }
  const near = here ? await lookIn(cwd) : nothing
  if (near.file !== undefined) return { ...near, by: 'folder' }
  const own = await lookIn(ownConfigFolder(env))
  return { ...own, by: own.file === undefined ? undefined : 'user' }
}

/** The files that would be taken were they there: whoever follows the configuration follows these. */
export const awaitedFiles = ({ cwd, env, here = true }: Whereabouts): readonly string[] =>
  [...(here ? [cwd] : []), ownConfigFolder(env)].flatMap((folder) => configFileNames.map((name) => join(folder, name)))

/** The file that a change makes where there is none. */
export const firstFile = ({ cwd, env, here = true }: Whereabouts): string =>
  join(here ? resolve(cwd) : ownConfigFolder(env), configFileNames[0])

const nothing: Pick<FoundFile, 'file' | 'notes'> = { file: undefined, notes: [] }

const lookIn = async (folder: string): Promise<Pick<FoundFile, 'file' | 'notes'>> => {
  const present: string[] = []
  for (const name of configFileNames) if (await exists(join(folder, name))) present.push(join(folder, name))
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
    return !(error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code)))
  }
}
