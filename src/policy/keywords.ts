import type { OwnKeyword } from '../schema/predicate.js'
import { jsonBytes } from '../telemetry/json-bytes.js'

/**
 * What JSON Schema says badly and a pattern says wrongly: whether a path lies in a folder, an address leads to a host, a value
 * is small. Each answers undefined where programs disagree about what a text means (`..`, `%2e`, userinfo), so that a rule can
 * take the careful side whether it forbids what matches or excepts it.
 */
export const ruleKeywords: Readonly<Record<'pathUnder' | 'hostIn' | 'maxBytes', OwnKeyword>> = {
  pathUnder: (parameter) => {
    const folders = textsIn(parameter, 'must be an absolute folder, or a list of them').map(toFolder)
    const words = `must be a path under ${folders.map(({ written }) => written).join(' or ')}`
    return { words, test: (value) => isUnder(value, folders) }
  },
  hostIn: (parameter) => {
    const hosts = textsIn(parameter, 'must be a host such as api.example.com or *.example.com, or a list of them')
    const patterns = hosts.map(toHostPattern)
    return { words: `must lead to ${hosts.join(' or ')}`, test: (value) => leadsTo(value, patterns) }
  },
  maxBytes: (parameter) => {
    if (typeof parameter !== 'number' || !Number.isSafeInteger(parameter) || parameter < 0)
      throw new Error('must be a whole number of bytes, 0 or more')
    return { words: `must have at most ${parameter} bytes`, test: (value) => isWithin(value, parameter) }
  },
}

const mostTexts = 256
const longestText = 4096

const textsIn = (parameter: unknown, words: string): readonly string[] => {
  const texts: readonly unknown[] = Array.isArray(parameter) ? parameter : [parameter]
  const isGood = (each: unknown): each is string =>
    typeof each === 'string' && each !== '' && each.length <= longestText && !isOdd(each)
  if (texts.length === 0 || texts.length > mostTexts || !texts.every(isGood)) throw new Error(words)
  return texts as readonly string[]
}

// Control characters, line separators, and marks that turn the direction of a text or cannot be seen.
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point.
const odd = /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

const isOdd = (text: string): boolean => odd.test(text)

interface Folder {
  readonly written: string
  /** `/`, or `c:` of a drive. */
  readonly root: string
  readonly segments: readonly string[]
}

const toFolder = (written: string): Folder => {
  const folder = plainPath(written)
  if (folder === undefined) throw new Error(`must be an absolute folder without '..' and '~', got ${written}`)
  return { written, ...folder }
}

const isUnder = (value: unknown, folders: readonly Folder[]): boolean | undefined => {
  if (typeof value !== 'string' || value.length > longestText) return undefined
  const path = plainPath(value)
  if (path === undefined) return undefined
  // What a system makes of full-width dots and slashes must lie there too.
  const folded = value.normalize('NFKC')
  const other = folded === value ? path : plainPath(folded)
  if (other === undefined) return undefined
  const inside = folders.some((folder) => holds(folder, path))
  return inside === folders.some((folder) => holds(folder, other)) ? inside : undefined
}

const holds = (folder: Folder, path: Omit<Folder, 'written'>): boolean =>
  folder.root === path.root && folder.segments.every((segment, index) => path.segments[index] === segment)

// Whoever decodes a path once more than we do would go elsewhere.
const encoded = /%(?:2e|2f|5c|25|00|7e)/i
// `..` and what Windows takes for it: it drops dots and spaces at the end of a name.
const dots = /^[.\s]*\.\.[.\s]*$/

/** A path that everybody reads alike; undefined for any other. */
const plainPath = (text: string): Omit<Folder, 'written'> | undefined => {
  if (isOdd(text) || encoded.test(text)) return undefined
  const drive = /^([A-Za-z]:)[\\/]/.exec(text)?.[1]
  // On most systems a backslash is a letter of a name, on others it ends one.
  if (drive === undefined && (text.includes('\\') || !text.startsWith('/') || text.startsWith('//'))) return undefined
  const rest = drive === undefined ? text : text.slice(2)
  const segments = rest
    .split(drive === undefined ? '/' : /[\\/]/)
    .filter((segment) => segment !== '' && segment !== '.')
  if (segments.some((segment) => segment.startsWith('~') || dots.test(segment))) return undefined
  // A name with a colon is a stream of a file, or another drive.
  if (drive !== undefined && segments.some((segment) => segment.includes(':'))) return undefined
  return { root: drive?.toLowerCase() ?? '/', segments }
}

interface HostPattern {
  readonly host: string
  /** `*.example.com`: every host below, not the host itself. */
  readonly below: boolean
  readonly port: string | undefined
}

const toHostPattern = (written: string): HostPattern => {
  const below = written.startsWith('*.')
  const found = hostOf(below ? written.slice(2) : written)
  if (!found || written.includes('/') || (below && !/[a-z]/i.test(found.host)))
    throw new Error(`must be a host such as api.example.com or *.example.com, got ${written}`)
  return { ...found, below, port: found.port === '' ? undefined : found.port }
}

const leadsTo = (value: unknown, patterns: readonly HostPattern[]): boolean | undefined => {
  if (typeof value !== 'string' || value.length > longestText) return undefined
  const found = hostOf(value)
  if (!found) return undefined
  const port = found.port === '' ? found.usualPort : found.port
  return patterns.some(
    (pattern) =>
      (pattern.below ? found.host.endsWith(`.${pattern.host}`) : found.host === pattern.host) &&
      (pattern.port === undefined || pattern.port === port),
  )
}

interface Host {
  readonly host: string
  readonly port: string
  readonly usualPort: string
}

const usualPorts: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  ...{ http: '80', ws: '80', https: '443', wss: '443', ftp: '21', ssh: '22', git: '9418' },
})

/** The host of an address, or a bare host; undefined where two programs may find two. */
const hostOf = (text: string): Host | undefined => {
  if (isOdd(text) || /[\s\\]/.test(text)) return undefined
  const [, scheme, authority] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/?#]*)/i.exec(text) ?? []
  // Without a scheme only what is nothing but a host: `//host` and `user@host/path` are too many things.
  if (!authority || /[@%]/.test(authority) || (scheme === undefined && authority !== text)) return undefined
  const written = authority.toLowerCase()
  const url = parsed(`ws://${written}/`)
  if (!url?.hostname) return undefined
  const port = /:(\d+)$/.exec(written)?.[1] ?? ''
  const host = url.hostname
  if (host.endsWith('.') || host.startsWith('.')) return undefined
  const bare = port === '' ? written : written.slice(0, -port.length - 1)
  if (!/^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(host) || !isWrittenSo(bare, host)) return undefined
  return { host, port: port.replace(/^0+(?=\d)/, ''), usualPort: usualPorts[(scheme ?? 'https').toLowerCase()] ?? '' }
}

/** As it is written, or as an international name is: anything else (`0x7f.1`, full-width letters and dots) is read in many ways. */
const isWrittenSo = (written: string, host: string): boolean => {
  if (written === host) return true
  const [labels, own] = [host.split('.'), written.split('.')]
  return (
    labels.length === own.length &&
    own.every((label, index) => (isAscii(label) ? label === labels[index] : labels[index]!.startsWith('xn--')))
  )
}

const isAscii = (text: string): boolean => /^[\x21-\x7e]*$/.test(text)

const parsed = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** Of a text its own UTF-8 bytes, of anything else those of its JSON. */
const isWithin = (value: unknown, most: number): boolean | undefined => {
  if (typeof value === 'string') return value.length <= most && Buffer.byteLength(value) <= most
  const bytes = jsonBytes(value)
  return bytes === 0 ? undefined : bytes <= most
}
