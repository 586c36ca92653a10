import { type BothWords, both } from '../model/both-words.js'
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
    if (problem !== undefined)
      throw refused(`the name ${quoted(name)} ${problem.en}`, `名称 ${quoted(name)} ${problem.zh}`)
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
      if (this.#seen.size >= this.#most)
        throw refused(`it has more than ${this.#most} files and folders`, `文件和文件夹超过 ${this.#most} 个`)
      this.#seen.set(folded, { spelled: path, kind })
      return
    }
    if (before.spelled !== path)
      throw refused(
        `${quoted(before.spelled)} and ${quoted(path)} are one name where case does not count`,
        `不区分大小写时 ${quoted(before.spelled)} 与 ${quoted(path)} 是同一个名称`,
      )
    if (before.kind === kind && kind !== 'above')
      throw refused(`${quoted(path)} stands in it twice`, `${quoted(path)} 出现两次`)
    if (before.kind === 'file' || kind === 'file')
      throw refused(`${quoted(path)} is both a file and a folder`, `${quoted(path)} 既是文件又是文件夹`)
    if (kind === 'folder') this.#seen.set(folded, { spelled: path, kind })
  }
}

const longestName = 1024
const longestPart = 255
const deepest = 32

/** Why a path of an archive is none that we write; without its trailing slash. */
export const nameProblem = (name: string): BothWords | undefined => {
  if (name === '') return both('is empty', '为空')
  if (Buffer.byteLength(name) > longestName)
    return both(`is longer than ${longestName} bytes`, `超过 ${longestName} 字节`)
  if (steering.test(name)) return both('holds characters that nobody sees', '含有不可见字符')
  if (name.includes('\\')) return both('has a backslash', '含有反斜杠')
  if (name.startsWith('/')) return both('begins at the root', '从根目录开始')
  if (name.includes(':'))
    return both('has a colon, as drives and streams of Windows do', '含有冒号，如同 Windows 的盘符和数据流')
  const parts = name.split('/')
  if (parts.length > deepest) return both(`is more than ${deepest} folders deep`, `超过 ${deepest} 层文件夹`)
  for (const part of parts) {
    const problem = partProblem(part)
    if (problem !== undefined) return problem
  }
  return undefined
}

const partProblem = (part: string): BothWords | undefined => {
  if (part === '') return both('has an empty part', '有一段为空')
  if (part === '.' || part === '..') return both('leads out of its folder', '指向所在文件夹之外')
  if (Buffer.byteLength(part) > longestPart)
    return both(`has a part of more than ${longestPart} bytes`, `有一段超过 ${longestPart} 字节`)
  if (/[. ]$/.test(part))
    return both(
      'has a part that ends with a dot or a space, which Windows drops',
      '有一段以点或空格结尾，Windows 会将其去掉',
    )
  if (device.test(part)) return both('is the name of a device on Windows', '是 Windows 上的设备名')
  return undefined
}

// Control characters, and those that turn the direction of what is shown or take no room in it.
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for.
const steering = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

const device = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i

/** What file systems of macOS and Windows take for one name. */
const fold = (path: string): string => path.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC')
