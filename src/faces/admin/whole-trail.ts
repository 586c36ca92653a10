import type { Others } from '../../fleet/others.js'
import { notFound } from '../../http/http-error.js'
import type { HttpExchange } from '../../http/route.js'
import type { Caller } from '../../model/caller.js'
import { isRecord } from '../../model/json.js'
import type { AuditEntry } from '../../telemetry/audit-entry.js'
import type { AuditAnswer, AuditQuery } from '../../telemetry/audit-search.js'
import { adminPath } from './admin-operation.js'
import { invalid } from './audit-query.js'
import type { Covered } from './whole-fleet.js'

export interface WholePage {
  /** Newest first, as they were written, each once: workers share a folder. */
  readonly lines: readonly { readonly replica: string; readonly entry: AuditEntry }[]
  readonly next?: string | undefined
  readonly covers: Covered
}

interface Part {
  readonly replica: string
  /** Undefined: it did not answer. */
  readonly page: AuditAnswer | undefined
  /** Where it was begun for this page. */
  readonly mark: string | undefined
  /** How many of it are on this page. */
  taken: number
}

/** Where a trail has no more. */
const over = 'end'

/**
 * The trails of all replicas as one, from the newest back. How far each was read is in the cursor, since replicas write at
 * different paces and clocks: by time alone, what stands at the edge of a page would be lost or come twice.
 */
export const wholeTrail =
  (
    others: Others,
    search: (query: AuditQuery) => Promise<AuditAnswer>,
    { exchange, caller }: { readonly exchange: HttpExchange; readonly caller: Caller },
  ) =>
  async (asked: AuditQuery, among?: readonly string[]): Promise<WholePage> => {
    const marks = marksOf(asked.cursor)
    const read = async (replica: string): Promise<Part> => {
      const mark = marks.get(replica)
      const query = { ...asked, cursor: mark }
      const page =
        mark === over
          ? { entries: [], places: [] }
          : replica === others.replica
            ? await search(query)
            : await answerOf(others, replica, targetOf(exchange.query, query), caller)
      return { replica, page, mark, taken: 0 }
    }
    const names = among ?? namesOf(others, marks, exchange.query.get('replica'))
    const parts = await Promise.all(names.map(read))
    const lines = merged(parts, asked.limit)
    const there = parts.filter(({ page }) => page !== undefined)
    const isMore = there.some((part) => markOf(part) !== over)
    return {
      lines,
      next: isMore ? cursorOf(parts.map((part) => [part.replica, markOf(part)])) : undefined,
      covers: {
        replica: others.replica,
        replicas: there.map(({ replica }) => replica),
        away: parts.filter(({ page }) => page === undefined).map(({ replica }) => replica),
      },
    }
  }

/** Ours first; those too that were here a page ago. */
const namesOf = (others: Others, marks: ReadonlyMap<string, string>, only: string | null): readonly string[] => {
  const all = [...new Set([others.replica, ...others.names(), ...marks.keys()])]
  if (only === null || only === '') return all
  if (all.includes(only)) return [only]
  throw notFound(`There is no replica '${only.slice(0, 64)}'. There are: ${all.join(', ')}.`)
}

const merged = (parts: readonly Part[], limit: number): WholePage['lines'] => {
  const lines: { replica: string; entry: AuditEntry }[] = []
  const seen = new Set<string>()
  for (;;) {
    // Also behind the last line of a page: what workers read of the folder they share would stand on the next one again.
    for (const part of parts) while (isIn(seen, headOf(part))) part.taken += 1
    // What is behind the end of one of them may be newer than all that the others have.
    const isOpen = parts.some(({ page, taken }) => page?.next !== undefined && taken === page.entries.length)
    const newest = parts.reduce<Part | undefined>(
      (best, part) => ((headOf(part)?.at ?? '') > ((best && headOf(best)?.at) ?? '') ? part : best),
      undefined,
    )
    const entry = newest && headOf(newest)
    if (isOpen || !entry || lines.length >= limit) return lines
    newest.taken += 1
    seen.add(nameOf(entry))
    lines.push({ replica: newest.replica, entry })
  }
}

const nameOf = ({ chain, seq }: AuditEntry): string => `${chain} ${seq}`

const isIn = (seen: ReadonlySet<string>, entry: AuditEntry | undefined): boolean =>
  entry?.chain !== undefined && seen.has(nameOf(entry))

const headOf = ({ page, taken }: Part): AuditEntry | undefined => page?.entries[taken]

const markOf = ({ page, taken, mark }: Part): string | undefined => {
  if (!page) return mark
  if (taken === page.entries.length) return page.next ?? over
  return taken === 0 ? (mark ?? page.begin) : page.places[taken - 1]
}

const answerOf = async (
  others: Others,
  replica: string,
  target: string,
  caller: Caller,
): Promise<AuditAnswer | undefined> => {
  const said = await others.askOne(replica, { method: 'GET', target, caller })
  const { entries, places, begin, next } = (said?.status === 200 ? said.answer : {}) as Partial<AuditAnswer>
  return Array.isArray(entries) && Array.isArray(places) ? { entries, places, begin, next } : undefined
}

/** The same question, as far as one of them is asked. */
const targetOf = (asked: URLSearchParams, { limit, cursor }: AuditQuery): string => {
  const query = new URLSearchParams(asked)
  for (const name of ['format', 'replica', 'cursor']) query.delete(name)
  query.set('limit', String(limit))
  if (cursor !== undefined) query.set('cursor', cursor)
  return `${adminPath}/audit?${query}`
}

const cursorOf = (marks: readonly (readonly [string, string | undefined])[]): string =>
  Buffer.from(JSON.stringify(Object.fromEntries(marks.filter(([, mark]) => mark !== undefined)))).toString('base64url')

const mostMarks = 256

const marksOf = (cursor: string | undefined): ReadonlyMap<string, string> => {
  if (cursor === undefined) return new Map()
  const marks = Object.entries(readMarks(cursor) ?? {})
  const isGood = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === 'string' && /^(?:end|[0-9a-z]{1,12}\.[0-9a-z]{1,12})$/.test(entry[1])
  if (marks.length === 0 || marks.length > mostMarks || !marks.every(isGood))
    throw invalid("'cursor' must be the 'next' of an answer of this fleet.")
  return new Map(marks)
}

const readMarks = (cursor: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
