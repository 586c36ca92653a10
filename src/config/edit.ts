import { randomBytes } from 'node:crypto'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { applyEdits, type FormattingOptions, modify, parse } from 'jsonc-parser'
import { GatewayError, messageOf } from '../errors.js'
import { isRecord } from '../model/json.js'

/** One change: a value at a path, or `undefined` to take it out. */
export interface Edit {
  readonly path: readonly string[]
  readonly value: unknown
}

const formatting: FormattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' }

/** Changes a configuration text where it must and nowhere else: comments, order and blank lines stay. */
export const editText = (text: string, edits: readonly Edit[]): string =>
  edits.reduce((edited, { path, value }) => editJson(edited, path, value), text.trim() === '' ? '{}\n' : text)

const editJson = (text: string, path: readonly string[], value: unknown): string =>
  applyEdits(text, modify(text, [...path], value, { formattingOptions: formatting }))

/**
 * Applies edits to a file in one step: it is either as before or as asked. A file that is not there is made, one that
 * nobody may write is left alone: replacing it would pass over what its owner said, since a rename asks the folder only.
 */
export const editFile = async (file: string, edits: readonly Edit[]): Promise<void> => {
  if (await isReadOnly(file))
    throw new GatewayError(
      'CONFIG_UNREADABLE',
      `${file} is read-only and stays as it is. Make it writable (chmod u+w), or change it where it comes from.`,
    )
  const before = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw unwritable(file, error)
  })
  const edited = isYaml(file) ? (await editYaml()).editYamlText(before, edits) : editText(before, edits)
  await replaceFile(file, edited)
}

const isReadOnly = (file: string): Promise<boolean> =>
  stat(file).then(
    ({ mode }) => (mode & 0o222) === 0,
    () => false,
  )

/** The section of a file that holds sources: the one that is there, or `sources`. */
export const sourceSection = async (
  file: string,
  name?: string,
): Promise<'sources' | 'mcpServers' | 'servers' | 'services'> => {
  const text = await readFile(file, 'utf8').catch(() => '')
  const value: unknown = isYaml(file)
    ? (await editYaml()).readYamlText(text)
    : parse(text, [], { allowTrailingComma: true })
  const sections = ['sources', 'mcpServers', 'servers', 'services'] as const
  const present = sections.filter((section) => isRecord(value) && isRecord(value[section]))
  const holding = present.find(
    (section) => name !== undefined && isRecord(value) && Object.hasOwn(value[section] as object, name),
  )
  return holding ?? present[0] ?? 'sources'
}

// Imported when wanted: most configurations are JSON, and its parser is large.
const editYaml = () => import('./edit-yaml.js')

/** What reads the text of a configuration file of this name, without the checks of `parseConfig`. */
export const plainParserOf = async (file: string): Promise<(text: string) => unknown> =>
  isYaml(file) ? (await editYaml()).parseYamlText : (text) => parse(text, [], { allowTrailingComma: true })

const isYaml = (file: string): boolean => ['.yaml', '.yml'].includes(extname(file).toLowerCase())

/** Temp file, fsync, rename: a crash leaves the old file or the new one, and the mode of the old one is kept. */
export const replaceFile = async (file: string, text: string | Uint8Array): Promise<void> => {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const mode = await stat(file).then(
      (found) => found.mode & 0o777,
      () => 0o600,
    )
    const handle = await open(temporary, 'wx', mode)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw unwritable(file, error)
  }
}

const unwritable = (file: string, cause: unknown): GatewayError =>
  new GatewayError('CONFIG_UNREADABLE', `${file} could not be changed: ${messageOf(cause)}. It is as it was.`, {
    cause,
  })
