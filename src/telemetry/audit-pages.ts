import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readEntry } from './audit-entry.js'

/** The newest page of a trail in this folder; older ones have a number behind it. */
export const trailIn = (folder: string): string => join(folder, 'audit.jsonl')

/** A file of the trail. Its name changes when a page is turned, its inode does not. */
export interface AuditPage {
  readonly path: string
  readonly ino: number
  readonly size: number
  /** When it was last written to. */
  readonly writtenAt: number
}

/** The pages that are kept, the newest first. */
export const pagesOf = async (trail: string): Promise<readonly AuditPage[]> => {
  const name = basename(trail)
  const names = await readdir(dirname(trail)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const numbered = names.flatMap((each) => {
    const number = each === name ? 0 : each.startsWith(`${name}.`) ? Number(each.slice(name.length + 1)) : Number.NaN
    return Number.isInteger(number) ? [{ number, path: join(dirname(trail), each) }] : []
  })
  numbered.sort((one, other) => one.number - other.number)
  const pages = numbered.map(async ({ path }): Promise<readonly AuditPage[]> => {
    // Turned meanwhile: it is found under its next name, or is gone.
    const stats = await stat(path).catch(() => undefined)
    return stats?.isFile() ? [{ path, ino: stats.ino, size: stats.size, writtenAt: stats.mtimeMs }] : []
  })
  const seen = new Set<number>()
  return (await Promise.all(pages)).flat().filter(({ ino }) => !seen.has(ino) && seen.add(ino))
}

export interface PageKeeping {
  readonly days?: number | undefined
  readonly bytes: number
}

/** Throws away pages that are too old, or too much. The newest always stays. */
export const tidyPages = async (trail: string, now: number, { days, bytes }: PageKeeping): Promise<void> => {
  const oldest = days === undefined ? 0 : now - days * 24 * 3_600_000
  let sum = 0
  for (const [index, page] of (await pagesOf(trail)).entries()) {
    sum += page.size
    if (index > 0 && (page.writtenAt < oldest || sum > bytes)) await rm(page.path, { force: true })
  }
}

/** A line and where it begins. */
export interface PlacedLine {
  readonly text: string
  readonly start: number
}

const chunkBytes = 256 * 1024
/** Longer ones are no lines of ours. */
export const longestLine = 4 * 1024 * 1024
const lineEnd = 10

/** The whole lines before `end`, the last first, so many at a time as are read at once. */
export async function* linesBackwards(handle: FileHandle, end: number): AsyncGenerator<readonly PlacedLine[]> {
  let rest: Buffer = Buffer.alloc(0)
  for (let at = end; at > 0; ) {
    const from = Math.max(0, at - chunkBytes)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(at - from), 0, at - from, from)
    const bytes = Buffer.concat([buffer.subarray(0, bytesRead), rest])
    const lines: PlacedLine[] = []
    let last = bytes.length
    for (let cut = last; last > 0; last = cut) {
      cut = bytes.lastIndexOf(lineEnd, last - 2) + 1
      // The first may have begun before what was read.
      if (cut === 0 && from > 0) break
      if (last - cut <= longestLine)
        lines.push({ text: bytes.toString('utf8', cut, endOfLine(bytes, last)), start: from + cut })
    }
    rest = last > longestLine ? Buffer.alloc(0) : bytes.subarray(0, last)
    at = from
    yield lines
  }
}

const endOfLine = (bytes: Buffer, end: number): number => (bytes[end - 1] === lineEnd ? end - 1 : end)

/** All lines of a page in their order; `isWhole` is false of a last one without an end. */
export async function* linesForwards(
  path: string,
): AsyncGenerator<readonly { readonly text: string; readonly isWhole: boolean }[]> {
  const handle = await open(path, 'r')
  try {
    let rest: Buffer = Buffer.alloc(0)
    for (;;) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(chunkBytes), 0, chunkBytes)
      if (bytesRead === 0) break
      const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)])
      const lines: { text: string; isWhole: boolean }[] = []
      let from = 0
      for (let cut = bytes.indexOf(lineEnd); cut >= 0; cut = bytes.indexOf(lineEnd, from)) {
        lines.push({ text: bytes.toString('utf8', from, cut), isWhole: true })
        from = cut + 1
      }
      rest = bytes.subarray(from)
      if (rest.length > longestLine) rest = Buffer.from('(too long)')
      yield lines
    }
    if (rest.length > 0) yield [{ text: rest.toString('utf8'), isWhole: false }]
  } finally {
    await handle.close()
  }
}

/** The last line that is whole and ours; undefined where there is none. */
export const lastLineOf = (trail: string): string | undefined => lastLineIn(trail) ?? lastLineIn(`${trail}.1`)

const lastLineIn = (path: string): string | undefined => {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return undefined
  }
  try {
    const end = fstatSync(file).size
    for (let bytes = 64 * 1024; ; bytes *= 8) {
      const from = Math.max(0, end - bytes)
      const buffer = Buffer.alloc(end - from)
      const text = buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, from))
      const lines = text.split('\n').slice(from > 0 ? 1 : 0, -1)
      const found = lines.findLast((line) => readEntry(line) !== undefined)
      if (found !== undefined || from === 0 || bytes > longestLine) return found
    }
  } finally {
    closeSync(file)
  }
}
