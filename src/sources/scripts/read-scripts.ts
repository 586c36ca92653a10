import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, join, resolve, sep } from 'node:path'
import { type GatewayError, isGatewayError, messageOf } from '../../errors.js'
import type { ToolProblem } from '../source.js'
import { invalid, longestScript, type StoredScript, toStored, wordsIn } from './read-script.js'
import type { ScriptEntry, ScriptsEntry } from './script-entry.js'

/** What was found at one look. */
export interface ReadScripts {
  readonly scripts: ReadonlyMap<string, StoredScript>
  readonly problems: readonly ToolProblem[]
  /** What each file was like, so that the next look reads only those that changed. */
  readonly looks: ReadonlyMap<string, Look>
}

interface Look {
  readonly mark: string
  readonly script?: StoredScript | undefined
  readonly error?: GatewayError | undefined
}

/** A folder of so many scripts is none that somebody wrote. */
const mostFiles = 256

/**
 * All scripts of a source. One that cannot be used is named beside the others, not instead of them, and what it was before stays
 * in its place: an edit may be half written. Throws where the folder itself cannot be read.
 */
export const readScripts = async (
  { scripts: written, folder }: ScriptsEntry,
  base: string,
  before?: ReadScripts | undefined,
): Promise<ReadScripts> => {
  if (!written && folder === undefined) throw invalid('It names no scripts: write "folder", or "scripts" by name.')
  const scripts = written ?? {}
  const found = new Map<string, StoredScript>()
  const problems: ToolProblem[] = []
  const looks = new Map<string, Look>()
  const take = async (name: string, reading: Promise<Look>): Promise<void> => {
    const look = await reading
    looks.set(name, look)
    const good = look.script ?? (look.mark === absent ? undefined : before?.scripts.get(name))
    if (good) found.set(name, good)
    if (look.error) problems.push({ tool: name, error: look.error })
  }
  for (const [name, entry] of Object.entries(scripts)) await take(name, lookAt(name, entry, base, before))
  for (const path of folder === undefined ? [] : await filesIn(resolve(base, folder))) {
    const name = basename(path, '.js')
    if (Object.hasOwn(scripts, name)) problems.push({ tool: name, error: clash(name, path) })
    else await take(name, lookAtFile(name, path, undefined, before?.looks.get(name), resolve(base, folder!)))
  }
  return { scripts: found, problems, looks }
}

const absent = 'absent'

const lookAt = async (
  name: string,
  entry: ScriptEntry,
  base: string,
  before: ReadScripts | undefined,
): Promise<Look> => {
  const { file, script } = entry
  if (file !== undefined) return lookAtFile(name, resolve(base, file), entry, before?.looks.get(name))
  return before?.looks.get(name) ?? looked('written', () => toStored(name, script ?? '', entry, `The script '${name}'`))
}

/** With `entry` as a configuration describes it, without as the file itself does. */
const lookAtFile = async (
  name: string,
  path: string,
  entry: ScriptEntry | undefined,
  before: Look | undefined,
  within?: string | undefined,
): Promise<Look> => {
  const seen = await stat(path).catch((cause: unknown) => messageOf(cause))
  if (typeof seen === 'string') return { mark: absent, error: invalid(`The script ${path} cannot be read: ${seen}`) }
  const mark = `${seen.mtimeMs}/${seen.ctimeMs}/${seen.size}/${seen.ino}`
  if (before?.mark === mark) return before
  return looked(mark, async () => {
    if (!seen.isFile()) throw invalid(`The script ${path} is no file.`)
    if (seen.size > longestScript)
      throw invalid(`The script ${path} has ${seen.size} bytes; at most ${longestScript} are run.`)
    if (within !== undefined && !(await isWithin(path, within)))
      throw invalid(`The script ${path} is a link that leads out of its folder.`)
    const text = (await readFile(path, 'utf8')).replace(/^\ufeff/, '')
    return toStored(name, text, entry ?? wordsIn(text, path), path)
  })
}

const looked = async (mark: string, read: () => StoredScript | Promise<StoredScript>): Promise<Look> => {
  try {
    return { mark, script: await read() }
  } catch (error) {
    return { mark, error: isGatewayError(error) ? error : invalid(messageOf(error)) }
  }
}

const isWithin = async (path: string, folder: string): Promise<boolean> =>
  (await realpath(path)).startsWith((await realpath(folder)) + sep)

const filesIn = async (folder: string): Promise<readonly string[]> => {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw invalid(`The folder of scripts ${folder} cannot be read: ${messageOf(cause)}`)
  })
  const scripts = names.filter((name) => name.endsWith('.js') && !name.startsWith('.')).sort()
  if (scripts.length > mostFiles)
    throw invalid(`The folder ${folder} has ${scripts.length} scripts; ${mostFiles} are the limit.`)
  return scripts.map((name) => join(folder, name))
}

const clash = (name: string, path: string): GatewayError =>
  invalid(`'${name}' is a script of the configuration, which counts; rename ${path}.`)
