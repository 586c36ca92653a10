import { isDeepStrictEqual } from 'node:util'
import { stringify } from 'smol-toml'
import { GatewayError } from '../errors.js'
import { isRecord } from '../model/json.js'
import { parseClientText } from './parse.js'
import type { EntryChange } from './write-entry.js'

/**
 * TOML is edited as text, since writing the parsed value out again would lose every comment: our tables are cut out, and
 * a new one is put at the end, where a table is valid whatever stands before it. The result is parsed and compared, so
 * that a file written in a way this cannot handle is refused instead of spoiled.
 */
export const withTomlEntry = async (text: string, change: EntryChange): Promise<string> => {
  const { client, name, entry } = change
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const rest = cutTables(text, [client.section, name])
  const block =
    entry &&
    stringify({ [client.section]: { [name]: entry } })
      .trimEnd()
      .replaceAll('\n', eol)
  const result = block === undefined ? rest : joined(rest, block, eol)
  await verify(text, result, change)
  return result
}

const joined = (rest: string, block: string, eol: string): string => {
  const gap = rest.trim() === '' ? '' : rest.endsWith('\n') ? eol : `${eol}${eol}`
  return `${rest}${gap}${block}${eol}`
}

/** Leaves out `[section.name]` and the tables below it, each with the lines up to the next table. */
const cutTables = (text: string, path: readonly [string, string]): string => {
  const kept: string[] = []
  let cutting = false
  for (const line of text.split(/(?<=\n)/)) {
    const header = /^\s*\[{1,2}([^\]]+)\]/.exec(line)
    if (header) cutting = startsWith(keysOf(header[1]!), path)
    if (!cutting) kept.push(line)
  }
  // At the end of a file the blank line before our table is ours too.
  if (cutting && kept.at(-1)?.trim() === '') kept.pop()
  return kept.join('')
}

/** The parts of a dotted key; parts may be quoted. */
const keysOf = (header: string): readonly string[] =>
  [...header.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+)/g)].map(
    ([, quoted, literal, bare]) => quoted ?? literal ?? bare ?? '',
  )

const startsWith = (keys: readonly string[], path: readonly string[]): boolean =>
  path.every((part, index) => keys[index] === part)

const verify = async (before: string, after: string, { client, file, name, entry }: EntryChange): Promise<void> => {
  const expected = withoutEntry(await parseClientText(client, before, file), client.section, name)
  const actual = await parseClientText(client, after, file).catch(() => undefined)
  const section = isRecord(actual) ? actual[client.section] : undefined
  const written = isRecord(section) ? section[name] : undefined
  const isRight = isDeepStrictEqual(withoutEntry(actual, client.section, name), expected)
  if (isRight && isDeepStrictEqual(written, entry === undefined ? undefined : { ...entry })) return
  throw new GatewayError(
    'CONFIG_INVALID',
    `${file} writes its servers in a way that cannot be changed without touching the rest; it is as it was. ` +
      `Add this by hand:\n${entry ? stringify({ [client.section]: { [name]: entry } }) : `(take ${name} out)`}`,
    { details: { file } },
  )
}

const withoutEntry = (value: unknown, section: string, name: string): unknown => {
  if (!isRecord(value)) return value
  const { [section]: servers, ...rest } = value
  const others = isRecord(servers) ? Object.entries(servers).filter(([key]) => key !== name) : []
  return others.length === 0 ? rest : { ...rest, [section]: Object.fromEntries(others) }
}
