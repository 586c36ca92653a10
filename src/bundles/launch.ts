import type { Manifest } from './manifest.js'
import { type Starter, starterOf, wordsFor } from './starter.js'
import type { UserValues } from './user-values.js'

/** The machine that a bundle is installed on. */
export interface LaunchPlace {
  /** Where the bundle lies, as an absolute path. */
  readonly folder: string
  readonly platform: NodeJS.Platform
  readonly home: string
  /** How a text is written so that the configuration takes it as it is. */
  readonly literal: (text: string) => string
  /** What stands in the configuration for a secret, by its key. */
  readonly secret: (key: string) => string
}

/** A source that starts the server of a bundle, as it is written into a configuration. */
export interface LaunchEntry {
  readonly type: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd: string
}

/**
 * The command of a bundle on this machine. Placeholders are replaced in one pass: what a value holds is never read again, and
 * whatever else looks like one is written as plain text, so that a manifest names no variable, file or command of ours.
 */
export const launchOf = (manifest: Manifest, values: UserValues, place: LaunchPlace): LaunchEntry => {
  const words = wordsFor(manifest, place.platform)
  const starter = starterOf(manifest, place.platform)
  const fill = filler(values, place)
  const env = Object.entries(words.env ?? {}).flatMap(([name, text]) => {
    const value = fill(text)
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    type: 'stdio',
    command: commandOf(starter, place),
    args: (words.args ?? []).flatMap((text) => argumentsOf(text, values, fill, place)),
    env: env.length > 0 ? Object.fromEntries(env) : undefined,
    cwd: place.literal(place.folder),
  }
}

const commandOf = (starter: Starter, { folder, platform, literal }: LaunchPlace): string => {
  if (starter.kind === 'runtime') return starter.command
  const file = platform === 'win32' && !/\.\w+$/.test(starter.file) ? `${starter.file}.exe` : starter.file
  return literal(`${folder}/${file}`)
}

const placeholder = /\$\{([^{}]*)\}/g

type Fill = (text: string) => string | undefined

/** Undefined where all of a text is a value that nobody gave. */
const filler =
  (values: UserValues, place: LaunchPlace): Fill =>
  (text) => {
    const whole = /^\$\{user_config\.([^{}]+)\}$/.exec(text)
    if (whole && !values.has(whole[1]!)) return undefined
    let filled = ''
    let from = 0
    for (const match of text.matchAll(placeholder)) {
      filled += place.literal(text.slice(from, match.index)) + replaced(match[1]!, match[0], values, place)
      from = match.index + match[0].length
    }
    return filled + place.literal(text.slice(from))
  }

const replaced = (name: string, written: string, values: UserValues, place: LaunchPlace): string => {
  const key = /^user_config\.(.+)$/.exec(name)?.[1]
  if (key !== undefined) return filledBy(key, values, place)
  const known = placesOf(place)
  return place.literal(Object.hasOwn(known, name) ? known[name]! : written)
}

/** Several in one text stand apart as the platform sets folders apart. */
const filledBy = (key: string, values: UserValues, place: LaunchPlace): string => {
  const value = values.get(key)
  if (value === undefined) return ''
  if (value.kind === 'secret') return place.secret(key)
  if (value.kind === 'reference') return value.text
  return place.literal(value.values.join(place.platform === 'win32' ? ';' : ':'))
}

/** Each of several is an argument of its own. */
const argumentsOf = (text: string, values: UserValues, fill: Fill, { literal }: LaunchPlace): readonly string[] => {
  const value = values.get(/^\$\{user_config\.([^{}]+)\}$/.exec(text)?.[1] ?? '')
  if (value?.kind === 'plain') return value.values.map(literal)
  const filled = fill(text)
  return filled === undefined ? [] : [filled]
}

/** The folders that manifests may name, in what is run and in defaults. */
export const placesOf = ({
  folder,
  home,
  platform,
}: Pick<LaunchPlace, 'folder' | 'home' | 'platform'>): Readonly<Record<string, string>> => {
  const separator = platform === 'win32' ? '\\' : '/'
  return {
    __dirname: folder,
    HOME: home,
    DESKTOP: `${home}${separator}Desktop`,
    DOCUMENTS: `${home}${separator}Documents`,
    DOWNLOADS: `${home}${separator}Downloads`,
    pathSeparator: separator,
    '/': separator,
  }
}
