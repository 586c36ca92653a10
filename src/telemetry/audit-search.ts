import { open } from 'node:fs/promises'
import { isOfRun } from '../model/run-id.js'
import { type AuditEntry, type AuditKind, type AuditOutcome, readEntry } from './audit-entry.js'
import { linesBackwards, pagesOf } from './audit-pages.js'

/** Which lines are wanted. What is left open fits all. */
export interface AuditFilter {
  /** An id, or a part of a name. */
  readonly person?: string | undefined
  /** What was done to: a tool's id, a source, a key. A `*` at its end stands for anything. */
  readonly tool?: string | undefined
  readonly kind?: AuditKind | undefined
  readonly outcome?: AuditOutcome | undefined
  readonly source?: string | undefined
  /** Of this script and of the calls in it. */
  readonly run?: string | undefined
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

export interface AuditQuery extends AuditFilter {
  readonly limit: number
  /** Where an earlier answer left off. */
  readonly cursor?: string | undefined
  /** The most that is looked through. Default: 32 MiB. */
  readonly mostBytes?: number | undefined
}

export interface AuditAnswer {
  /** Newest first. */
  readonly entries: readonly AuditEntry[]
  /** Where it was begun; undefined where there is nothing. */
  readonly begin?: string | undefined
  /** Of each of them: where to go on behind it. */
  readonly places: readonly string[]
  /** Where to go on; undefined where there is no more. Also given where nothing was found in what was looked through. */
  readonly next?: string | undefined
}

// What one question may look through: a second's work at most.
const mostBytes = 32 * 1024 * 1024
// Several processes write, each with a clock that may be set: lines are nearly in order, not quite.
const slackMs = 3_600_000

/** Looks through what is kept, from the newest back, and no further than so many bytes at a time. */
export const searchTrail = async (
  trail: string,
  query: AuditQuery,
  most = query.mostBytes ?? mostBytes,
): Promise<AuditAnswer> => {
  const fits = fitting(query)
  const from = placeOf(query.cursor)
  const entries: AuditEntry[] = []
  const places: string[] = []
  let begin: string | undefined
  let left = most
  let isSkipping = from !== undefined
  for (const page of await pagesOf(trail)) {
    if (isSkipping && page.ino !== from!.ino) continue
    const end = isSkipping ? Math.min(from!.offset, page.size) : page.size
    isSkipping = false
    begin ??= cursorOf(page.ino, end)
    // Thrown away since.
    const handle = await open(page.path, 'r').catch(() => undefined)
    if (!handle) continue
    try {
      if ((await handle.stat()).ino !== page.ino) continue
      for await (const lines of linesBackwards(handle, end)) {
        for (const { text, start } of lines) {
          left -= text.length + 1
          const entry = fits.text(text) ? readEntry(text) : undefined
          if (entry && fits.entry(entry)) {
            entries.push(entry)
            places.push(cursorOf(page.ino, start))
          }
          if (isTooOld(text, query.since)) return { entries, begin, places }
          if (entries.length >= query.limit || left <= 0)
            return { entries, begin, places, next: cursorOf(page.ino, start) }
        }
      }
    } finally {
      await handle.close()
    }
  }
  return { entries, begin, places }
}

interface Place {
  readonly ino: number
  readonly offset: number
}

const cursorOf = (ino: number, offset: number): string => `${ino.toString(36)}.${offset.toString(36)}`

const placeOf = (cursor: string | undefined): Place | undefined => {
  const [, ino, offset] = /^([0-9a-z]{1,12})\.([0-9a-z]{1,12})$/.exec(cursor ?? '') ?? []
  return ino === undefined || offset === undefined
    ? undefined
    : { ino: Number.parseInt(ino, 36), offset: Number.parseInt(offset, 36) }
}

const isTooOld = (line: string, since: number | undefined): boolean => {
  if (since === undefined) return false
  const at = line.indexOf('"at":"') + 6
  return at > 5 && Date.parse(line.slice(at, at + 24)) < since - slackMs
}

/** Most lines are turned away by their text: reading them is what costs. */
const fitting = (filter: AuditFilter) => {
  const { tool, kind, outcome, source, run } = filter
  const needles = [
    kind === undefined ? '' : `"kind":"${kind}"`,
    outcome === undefined ? '' : `"outcome":"${outcome}"`,
    source === undefined ? '' : JSON.stringify(source),
    // Without its end: what it called has longer ones.
    run === undefined ? '' : `"run":${JSON.stringify(run).slice(0, -1)}`,
    tool === undefined || tool.endsWith('*') ? '' : JSON.stringify(tool),
  ]
  return {
    text: (text: string): boolean => !text.startsWith('{"v":1,') || needles.every((needle) => text.includes(needle)),
    entry: fittingEntry(filter),
  }
}

/** Whether an entry is wanted. */
export const fittingEntry = ({ person, tool, kind, outcome, source, run, since, until }: AuditFilter) => {
  const who = person?.toLowerCase()
  return (entry: AuditEntry): boolean =>
    (kind === undefined || entry.kind === kind) &&
    (outcome === undefined || entry.outcome === outcome) &&
    (source === undefined || entry.source === source || (entry.on?.type === 'source' && entry.on.id === source)) &&
    (run === undefined || isOfRun(entry.run, run)) &&
    (tool === undefined || isMeant(tool, entry.on?.id)) &&
    (who === undefined ||
      entry.actor.id.toLowerCase() === who ||
      (entry.on?.type === 'person' && entry.on.id.toLowerCase() === who) ||
      entry.actor.name?.toLowerCase().includes(who) === true) &&
    (since === undefined || Date.parse(entry.at) >= since) &&
    (until === undefined || Date.parse(entry.at) < until)
}

const isMeant = (tool: string, id: string | undefined): boolean =>
  id !== undefined && (tool.endsWith('*') ? id.startsWith(tool.slice(0, -1)) : id === tool)
