import type { Fingerprint } from '../../config/fingerprint.js'
import { isSecretKey, mask, maskUrl } from '../../config/secrets.js'
import { isRecord } from '../../model/json.js'
import { say } from '../../serving/locale.js'

type Fields = Readonly<Record<string, unknown>>

/** What a file would start and where it would lead, as it is written, secrets masked. */
export interface WouldStart {
  readonly sources: readonly { readonly name: string; readonly keys: Fields }[]
  readonly settings: Fields
}

/** With `only`, those sources alone. */
export const wouldStart = ({ written }: Fingerprint, only?: readonly string[]): WouldStart => ({
  sources: [...written.sources].flatMap(([name, keys]) =>
    only === undefined || only.includes(name) ? [{ name, keys: shown(keys) as Fields }] : [],
  ),
  settings: only === undefined ? (shown(written.settings) as Fields) : {},
})

/**
 * The same for a person. Whatever is in the file is written as one line of visible characters: it must not be able to
 * hide a part of itself, move the cursor or look like a line of ours.
 */
export const startLines = ({ sources, settings }: WouldStart): readonly string[] => [
  ...sources.flatMap(({ name, keys }) => {
    const { type, command, args, ...rest } = keys
    const runs =
      command === undefined
        ? []
        : [`    ${say('runs', '运行')} ${visible([command, ...(Array.isArray(args) ? args : [])])}`]
    return [
      `  ${visible(name)} (${visible(type)})`,
      ...runs,
      ...keyLines(command === undefined && args !== undefined ? { args, ...rest } : rest),
    ]
  }),
  ...(Object.keys(settings).length === 0 ? [] : [`  ${say('settings', '设置')}`, ...keyLines(settings)]),
  ...(sources.length === 0 && Object.keys(settings).length === 0
    ? [
        `  ${say('nothing: it names no source and no setting that matters', '没有：其中没有来源，也没有需要留意的设置')}`,
      ]
    : []),
]

const keyLines = (keys: Fields): readonly string[] =>
  Object.entries(keys).map(([key, value]) => `    ${visible(key)} ${visible(value)}`)

/** JSON in which everything that a terminal acts on, or that a person cannot see, is an escape. */
const visible = (value: unknown): string =>
  (typeof value === 'string' && /^[\w.-]+$/.test(value) ? value : (JSON.stringify(value) ?? ''))
    .replace(/[^\x20-\x7e\p{Script=Han}]/gu, (letter) => `\\u{${letter.codePointAt(0)!.toString(16)}}`)
    // A screenful of blanks would push what follows out of sight.
    .replace(/ {4,}/g, (blanks) => `\\u{20}*${blanks.length}`)

const shown = (value: unknown, key = ''): unknown => {
  if (typeof value === 'string') return isSecretKey(key) && !value.includes('$') ? mask : maskUrl(value)
  if (Array.isArray(value)) return value.map((item) => shown(item, key))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shown(item, name)]))
}
