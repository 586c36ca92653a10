import { randomBytes } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A segment: what one process wrote for some time, at most a day. Its name is when it began and a word of its own, so no two
 * processes ever have the same; `NAME.calls` are the calls, `NAME.values` what was said in some of them.
 */
export interface Segment {
  readonly name: string
  readonly beganAt: number
  /** Of all its files. */
  readonly bytes: number
}

export const dayMs = 24 * 3_600_000

export const newSegmentName = (at: number): string => `${Math.floor(at).toString(36).padStart(9, '0')}-${word()}`

const word = (): string => randomBytes(8).readBigUInt64BE().toString(36).slice(0, 8).padStart(8, '0')

export const callsPath = (folder: string, name: string): string => join(folder, `${name}.calls`)
export const valuesPath = (folder: string, name: string): string => join(folder, `${name}.values`)

const named = /^([0-9a-z]{9}-[0-9a-z]{8})\.(calls|values|damaged)$/

/** The id of a call: its segment, and its place there. */
export const callId = (segment: string, index: number): string => `${segment}-${index.toString(36)}`

export const placeOfCall = (id: string): { readonly segment: string; readonly index: number } | undefined => {
  const [, segment, index] = /^([0-9a-z]{9}-[0-9a-z]{8})-([0-9a-z]{1,7})$/.exec(id) ?? []
  return segment === undefined || index === undefined ? undefined : { segment, index: Number.parseInt(index, 36) }
}

/** All segments, the oldest first. Damaged ones count as bytes, and are never read. */
export const segmentsIn = async (folder: string): Promise<readonly Segment[]> => {
  const found = new Map<string, number>()
  await Promise.all(
    (await namesIn(folder)).map(async (file) => {
      const [, name] = named.exec(file) ?? []
      const size = name === undefined ? undefined : (await stat(join(folder, file)).catch(() => undefined))?.size
      if (name !== undefined && size !== undefined) found.set(name, (found.get(name) ?? 0) + size)
    }),
  )
  return [...found]
    .map(([name, bytes]) => ({ name, beganAt: Number.parseInt(name.slice(0, 9), 36), bytes }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** Where nothing was kept yet, nothing is. */
const namesIn = async (folder: string): Promise<readonly string[]> => {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

export interface Bounds {
  readonly days: number
  readonly maxBytes: number
}

/** Lets go of what is too old, then of the oldest until the rest fits; `own` is being written. */
export const tidy = async (folder: string, { days, maxBytes }: Bounds, now: number, own?: string): Promise<void> => {
  const segments = await segmentsIn(folder)
  let bytes = segments.reduce((sum, each) => sum + each.bytes, 0)
  let left = segments.length
  for (const segment of segments) {
    if (segment.name === own) continue
    // A segment is written for a day at most: then its newest call is past the bound too.
    const isOld = segment.beganAt + dayMs < now - days * dayMs
    if (!isOld && bytes <= maxBytes && left <= mostSegments) continue
    await letGo(folder, segment.name)
    bytes -= segment.bytes
    left -= 1
  }
}

// A single command that makes a call leaves a segment too. Past so many the oldest go.
const mostSegments = 4096

const letGo = async (folder: string, name: string): Promise<void> => {
  for (const ending of ['values', 'calls', 'damaged']) await rm(join(folder, `${name}.${ending}`), { force: true })
}

/** Out of the way of readers, and still there for whoever wants to look. */
export const setAside = (folder: string, name: string): Promise<void> =>
  rename(callsPath(folder, name), join(folder, `${name}.damaged`)).catch(() => {})

/** Tells this folder from others: processes that share one would count its calls twice. Made by whoever comes first. */
export const folderId = async (folder: string): Promise<string | undefined> => {
  const path = join(folder, 'id')
  const made = randomBytes(9).toString('base64url')
  try {
    await writeFile(path, made, { flag: 'wx', mode: 0o600 })
    return made
  } catch {
    return (await readFile(path, 'utf8').catch(() => undefined))?.slice(0, 64) || undefined
  }
}
