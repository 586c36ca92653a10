import { isDeepStrictEqual } from 'node:util'
import { applyEdits, type FormattingOptions, modify } from 'jsonc-parser'
import { GatewayError } from '../errors.js'
import { isRecord } from '../model/json.js'
import type { ClientProgram } from './client.js'
import { parseClientText } from './parse.js'

export interface EntryChange {
  readonly client: ClientProgram
  /** Shown in errors. */
  readonly file: string
  readonly name: string
  /** Undefined takes it out. */
  readonly entry: Readonly<Record<string, unknown>> | undefined
}

/**
 * A client's text with one entry set or taken out. Everything else stays as it is, byte for byte: comments, order,
 * indentation, line ends and what we do not understand.
 */
export const withEntry = async (text: string, change: EntryChange): Promise<string> => {
  const { client, file, name } = change
  const before = await parseClientText(client, text, file)
  if (!isRecord(before)) throw notOurs(file)
  const section = before[client.section]
  if (section !== undefined && section !== null && !isRecord(section)) throw notOurs(file)
  const present = isRecord(section) && Object.hasOwn(section, name) ? section[name] : undefined
  if (isDeepStrictEqual(present, change.entry)) return text
  return client.format === 'toml' ? (await import('./toml-entry.js')).withTomlEntry(text, change) : inJson(text, change)
}

const inJson = (text: string, { client, name, entry }: EntryChange): string => {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  const plain = text.slice(mark.length)
  const start = plain.trim() === '' ? '{}\n' : plain
  const edits = modify(start, [client.section, name], entry, { formattingOptions: formattingOf(start) })
  return mark + applyEdits(start, edits)
}

/** As the file has it, so that one new entry does not look like a stranger's. */
const formattingOf = (text: string): FormattingOptions => {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
}

const notOurs = (file: string): GatewayError =>
  new GatewayError(
    'CONFIG_INVALID',
    `${file} does not look like a configuration of this client; it was not changed. Look into it, or name another with --file.`,
    { details: { file } },
  )
