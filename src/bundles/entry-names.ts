import { quoted, refused } from './refusal.js'

/**
 * The names of an archive, as far as they were read: each may stand once, on any file system. One that leaves the folder,
 * that two platforms read differently or that would take the place of another is refused.
 */
export class EntryNames {
  readonly #seen = new Map<string, { readonly spelled: string; readonly kind: 'file' | 'folder' | 'above' }>()
  readonly #folders = new Set<string>()
  readonly #most: number

  /** `most` counts the folders between, too: names can be deep without being many. */
  constructor(most: number) {
    this.#most = most
  }

  /** Throws where this name cannot stand beside those before it. */
  add(name: string, kind: 'file' | 'folder'): void {
    const problem = nameProblem(name)
    if (problem !== undefined) throw refused(`the name ${quoted(name)} ${problem}`)
    this.#addAbove(name)
    this.#place(name, kind)
  }

  /** The folders that a name stands in, from the inside out until one is known. */
  #addAbove(name: string): void {
    const at = name.lastIndexOf('/')
    if (at < 0) return
    const folder = name.slice(0, at)
    if (this.#folders.has(folder)) return
    this.#addAbove(folder)
    this.#place(folder, 'above')
    this.#folders.add(folder)
  }

  #place(path: string, kind: 'file' | 'folder' | 'above'): void {
    const folded = fold(path)
    const before = this.#seen.get(folded)
    if (before === undefined) {
      if (this.#seen.size >= this.#most) throw refused(`it has more than ${this.#most} files and folders`)
      this.#seen.set(folded, { spelled: path, kind })
      return
    }
    if (before.spelled !== path)
      throw refused(`${quoted(before.spelled)} and ${quoted(path)} are one name where case does not count`)
    if (before.kind === 'file' || kind === 'file')
      throw refused(
        before.kind === kind ? `${quoted(path)} stands in it twice` : `${quoted(path)} is both a file and a folder`,
      )
    if (before.kind === 'folder' && kind === 'folder') throw refused(`${quoted(path)} stands in it twice`)
    if (kind === 'folder') this.#seen.set(folded, { spelled: path, kind })
  }
}

const longestName = 1024
const longestPart = 255
const deepest = 32

/** Why a path of an archive is none that we write; without its trailing slash. */
export const nameProblem = (name: string): string | undefined => {
  if (name === '') return 'is empty'
  if (Buffer.byteLength(name) > longestName) return `is longer than ${longestName} bytes`
  if (steering.test(name)) return 'holds characters that nobody sees'
  if (name.includes('\\')) return 'has a backslash'
  if (name.startsWith('/')) return 'begins at the root'
  if (name.includes(':')) return 'has a colon, as drives and streams of Windows do'
  const parts = name.split('/')
  if (parts.length > deepest) return `is more than ${deepest} folders deep`
  for (const part of parts) {
    const problem = partProblem(part)
    if (problem !== undefined) return problem
  }
  return undefined
}

const partProblem = (part: string): string | undefined => {
  if (part === '') return 'has an empty part'
  if (part === '.' || part === '..') return 'leads out of its folder'
  if (Buffer.byteLength(part) > longestPart) return `has a part of more than ${longestPart} bytes`
  if (/[. ]$/.test(part)) return 'has a part that ends with a dot or a space, which Windows drops'
  if (device.test(part)) return 'is the name of a device on Windows'
  return undefined
}

// Control characters, and those that turn the direction of what is shown or take no room in it.
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for.
const steering = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

const device = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i

/** What file systems of macOS and Windows take for one name. */
const fold = (path: string): string => path.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC')
