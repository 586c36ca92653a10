import type { ServerResponse } from 'node:http'
import type { Others } from '../../fleet/others.js'
import type { HttpExchange } from '../../http/route.js'
import { type Operation, operation } from '../../operations/operation.js'
import { choice, integer, list, number, of, shape, text, type ValueOf, words } from '../../operations/shape.js'
import { plainErrors } from '../../operations/told-error.js'
import { csvHead, csvLine } from '../../telemetry/audit-csv.js'
import { type AuditEntry, auditKinds, auditOutcomes } from '../../telemetry/audit-entry.js'
import type { AuditAnswer, AuditQuery } from '../../telemetry/audit-search.js'
import { actorOf, type Note } from '../../telemetry/deed.js'
import { adminOperation, adminPath } from './admin-operation.js'
import { formatOf, queryOf } from './audit-query.js'
import { beginExport, type ExportFormat, writePaced } from './send-export.js'
import { type Covered, covered } from './whole-fleet.js'
import { type WholePage, wholeTrail } from './whole-trail.js'

const actor = shape(
  { id: text(), type: choice(['person', 'machine', 'key', 'local', 'anonymous', 'system']) },
  { name: text(), via: text(), client: text(), ip: text() },
)

/** One line of the trail. */
export const auditRow = shape(
  {
    /** 0: of the time before lines were chained. */
    v: integer(),
    at: text(),
    kind: choice(auditKinds),
    action: text(),
    actor,
    outcome: choice(auditOutcomes),
  },
  {
    chain: text(),
    seq: integer(),
    prev: text(),
    on: shape({ type: text(), id: text() }),
    profile: text(),
    source: text(),
    code: text(),
    severity: choice(['high']),
    ms: number(),
    attempts: integer(),
    sizes: shape({ in: integer(), out: integer() }),
    cost: number(),
    shape: of<unknown>({}),
    secrets: of<unknown>({}),
    /** The script that made the call, or that it was. */
    run: text(),
    /** Of a call that a script made: which of them, from 1 on. */
    step: integer(),
    /** Of a call that was a script: what tells its text from others. */
    script: shape({ sha256: text(), bytes: integer() }),
    /** Which rule denied the call, or asked about it. */
    rule: text(),
    /** The yes that the call has spent. */
    grant: text(),
    /** Only where values are kept. */
    args: of<unknown>({}),
    before: text(),
    after: text(),
    count: integer(),
    trace: text(),
    /** Of a start or a checkpoint: who wrote it; wherever a fleet was asked: whose trail it is in, which workers share. */
    replica: text(),
    torn: of<true>({ const: true }),
    key: text(),
    mac: text(),
  },
)

const auditAnswer = shape(
  { entries: list(auditRow), kinds: list(text()), kept: of<boolean>({ type: 'boolean' }) },
  {
    /** Where to go on, as `cursor`; not there at the end. Also given where nothing was found in what was looked through. */
    next: text(),
    /** For another replica that asks: where this began, and where to go on behind each entry. */
    begin: text(),
    places: list(text()),
    covers: covered,
  },
)

export type AuditRow = ValueOf<typeof auditRow>
export type AuditListing = ValueOf<typeof auditAnswer>

/** The trail, as administration reads it. */
export interface AuditDesk {
  /** False where no file is kept. */
  readonly kept: boolean
  search(query: AuditQuery): Promise<AuditAnswer>
  readonly note: Note
}

interface AuditAround {
  readonly others?: Others | undefined
}

/** For another replica, which puts the answers of all together and waits for nobody very long. */
const mostBytes = 8 * 1024 * 1024
/** So many at a time; replicas give each other no more. */
const batch = 500
const tries = 3

/** Who did what: to look through, and to take away. */
export const auditOperations = (
  { audit }: { readonly audit: AuditDesk },
  { others }: AuditAround,
): readonly Operation[] => [
  adminOperation({
    id: 'listAudit',
    method: 'GET',
    path: '/audit',
    right: 'admin',
    summary: words(
      'Who did what, newest first: ?person, tool, kind, outcome, source, since, until, limit, cursor, replica',
      '谁做了什么，最新的在前：?person、tool、kind、outcome、source、since、until、limit、cursor、replica',
    ),
    answer: auditAnswer,
    run: async (request) => {
      const asked = queryOf(request.exchange.query)
      const told = { kinds: auditKinds, kept: audit.kept }
      if (request.exchange.passedBy !== undefined)
        return { ...told, ...rows(await audit.search({ ...asked, mostBytes })) }
      if (!others) {
        const { entries, next } = rows(await audit.search(asked))
        return { ...told, entries, next }
      }
      const { lines, next, covers } = await wholeTrail(others, audit.search, request)(asked)
      return { ...told, entries: lines.map(({ entry, replica }) => ({ ...entry, replica }) as AuditRow), next, covers }
    },
  }),
  operation({
    id: 'exportAudit',
    method: 'GET',
    path: `${adminPath}/audit/export`,
    right: 'admin',
    tag: 'audit',
    summary: words(
      'The lines of all replicas as a file, ?format=jsonl or csv, filtered as the list; itself a line of the trail',
      '以文件形式导出所有副本的记录，?format=jsonl 或 csv，筛选条件同列表；导出本身也会记录',
    ),
    query: { type: 'object' },
    answers: {
      200: {
        description: words('The lines, newest first', '记录，最新的在前'),
        type: 'application/x-ndjson',
        also: 'text/csv',
      },
    },
    errors: plainErrors,
    run: async (request) => {
      const { exchange, caller } = request
      const format = formatOf(exchange.query.get('format'))
      const filter = { ...queryOf(exchange.query), limit: batch }
      const read: ReadTrail = others ? wholeTrail(others, audit.search, request) : ownTrail(audit)
      const first = await read({ ...filter, cursor: undefined })
      const exported = { kind: 'export', on: { type: 'audit', id: format }, actor: actorOf(caller, 'api') } as const
      audit.note({ ...exported, action: 'begin', outcome: 'ok', after: wordsOf(exchange) })
      const count = await sendAll(
        first,
        (cursor) => again(read, { ...filter, cursor }, first),
        format,
        exchange.response,
      )
      const outcome = exchange.response.destroyed ? 'failed' : 'ok'
      audit.note({ ...exported, action: 'end', outcome, count, after: coveredWords(first.covers) })
      return undefined
    },
  }),
]

const rows = ({ entries, begin, places, next }: AuditAnswer) => ({
  entries: entries as readonly AuditRow[],
  ...{ begin, places, next },
})

type TakenPage = Pick<WholePage, 'next'> & {
  readonly lines: readonly { readonly replica?: string | undefined; readonly entry: AuditEntry }[]
  readonly covers?: Covered | undefined
}
type ReadTrail = (query: AuditQuery, among?: readonly string[]) => Promise<TakenPage>

const ownTrail =
  (audit: AuditDesk): ReadTrail =>
  async (query) => {
    const { entries, next } = await audit.search(query)
    return { lines: entries.map((entry) => ({ entry })), next }
  }

/** Of those who answered at first, whom one more word is waited for; undefined where one of them is gone. */
const again = async (read: ReadTrail, query: AuditQuery, { covers }: TakenPage): Promise<TakenPage | undefined> => {
  for (let left = tries; left > 0; left--) {
    const page = await read(query, covers?.replicas)
    if ((page.covers?.away.length ?? 0) === 0) return page
  }
  return undefined
}

/** What was asked for, by the names of its fields: their values may be anything. */
const wordsOf = ({ query }: HttpExchange): string | undefined =>
  [...new Set(query.keys())].sort().join(',') || undefined

const coveredWords = (covers: Covered | undefined): string | undefined =>
  covers && [...covers.replicas, ...covers.away.map((name) => `${name} (away)`)].join(',')

/** A batch at a time, and no faster than it is read. One that would lack what a replica had is cut off: it must not look whole. */
const sendAll = async (
  first: TakenPage,
  more: (cursor: string) => Promise<TakenPage | undefined>,
  format: ExportFormat,
  response: ServerResponse,
): Promise<number> => {
  const { covers } = first
  beginExport(response, { name: 'pegboard-audit', format, covers })
  if (format === 'csv') response.write(`${csvHead}\r\n`)
  let count = 0
  for (let page: TakenPage | undefined = first; !response.destroyed; ) {
    count += page.lines.length
    await writePaced(response, page.lines.map(written[format]).join(''))
    if (page.next === undefined) break
    page = await more(page.next)
    if (!page) {
      response.destroy()
      return count
    }
  }
  response.end()
  return count
}

/** JSON as it was written, so that its chain can be checked; a table has a column for who wrote it. */
const written: Readonly<Record<ExportFormat, (line: TakenPage['lines'][number]) => string>> = {
  jsonl: ({ entry }) => `${JSON.stringify(entry)}\n`,
  csv: ({ entry, replica }) => `${csvLine({ ...entry, replica: replica ?? entry.replica })}\r\n`,
}
