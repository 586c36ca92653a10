import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { GatewayError } from '../../errors.js'
import type { Others } from '../../fleet/others.js'
import type { HttpExchange } from '../../http/route.js'
import { type Operation, operation } from '../../operations/operation.js'
import { choice, integer, list, number, of, shape, text, type ValueOf, words } from '../../operations/shape.js'
import { plainErrors } from '../../operations/told-error.js'
import { csvHead, csvLine } from '../../telemetry/audit-csv.js'
import { type AuditEntry, auditKinds, auditOutcomes } from '../../telemetry/audit-entry.js'
import type { AuditFilter, AuditQuery } from '../../telemetry/audit-search.js'
import { actorOf, type Note } from '../../telemetry/deed.js'
import { adminOperation, adminPath } from './admin-operation.js'
import { covered, gather, labelled } from './whole-fleet.js'

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
    /** Only where values are kept. */
    args: of<unknown>({}),
    before: text(),
    after: text(),
    count: integer(),
    trace: text(),
    /** Of a start or a checkpoint, and wherever a fleet was asked: who wrote it. */
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
    covers: covered,
  },
)

export type AuditRow = ValueOf<typeof auditRow>
export type AuditListing = ValueOf<typeof auditAnswer>

/** The trail, as administration reads it. */
export interface AuditDesk {
  /** False where no file is kept. */
  readonly kept: boolean
  search(query: AuditQuery): Promise<{ readonly entries: readonly AuditEntry[]; readonly next?: string | undefined }>
  readonly note: Note
}

interface AuditAround {
  readonly others?: Others | undefined
}

const mostEntries = 500
const batch = 1000

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
      'Who did what, newest first: ?person, tool, kind, outcome, source, since, until, limit, cursor',
      '谁做了什么，最新的在前：?person、tool、kind、outcome、source、since、until、limit、cursor',
    ),
    answer: auditAnswer,
    run: async (request) => {
      const asked = queryOf(request.exchange.query)
      const own = await audit.search(asked)
      const told: AuditListing = { ...rows(own), kinds: auditKinds, kept: audit.kept }
      const { said, covers } = await gather(others, request, told)
      return said.length === 1 && covers === undefined
        ? told
        : { ...together(said, asked.limit), kinds: auditKinds, kept: audit.kept, covers }
    },
  }),
  operation({
    id: 'exportAudit',
    method: 'GET',
    path: `${adminPath}/audit/export`,
    right: 'admin',
    tag: 'audit',
    summary: words(
      'The lines of this replica as a file, ?format=jsonl or csv, filtered as the list; itself a line of the trail',
      '以文件形式导出本副本的记录，?format=jsonl 或 csv，筛选条件同列表；导出本身也会记录',
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
    run: async ({ exchange, caller }) => {
      const format = formatOf(exchange.query.get('format'))
      const filter = queryOf(exchange.query)
      const exported = { kind: 'export', on: { type: 'audit', id: format }, actor: actorOf(caller, 'api') } as const
      audit.note({ ...exported, action: 'begin', outcome: 'ok', after: wordsOf(exchange) })
      const count = await sendAll(audit, filter, format, exchange.response)
      audit.note({ ...exported, action: 'end', outcome: exchange.response.destroyed ? 'failed' : 'ok', count })
      return undefined
    },
  }),
]

const rows = ({ entries, next }: { readonly entries: readonly AuditEntry[]; readonly next?: string | undefined }) => ({
  entries: entries as readonly AuditRow[],
  next,
})

/** Of several replicas: by time, each line once (workers share a folder), and on from the oldest that is shown. */
const together = (said: Parameters<typeof labelled<AuditListing, AuditRow>>[0], limit: number) => {
  const seen = new Set<string>()
  const all = labelled(said, ({ entries }) => entries)
    .filter(({ chain, seq }) => chain === undefined || (!seen.has(`${chain} ${seq}`) && seen.add(`${chain} ${seq}`)))
    .toSorted((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0))
  const last = all[limit - 1]?.at
  // All of the same moment, since the next page begins before it.
  const entries = last === undefined ? all : all.filter(({ at }) => at >= last)
  const isMore = entries.length < all.length || said.some(({ answer }) => answer.next !== undefined)
  const oldest = entries.at(-1)?.at
  return { entries, next: isMore && oldest !== undefined ? `before-${Date.parse(oldest)}` : undefined }
}

const queryOf = (fields: URLSearchParams): AuditQuery => {
  const cursor = fields.get('cursor') ?? undefined
  const [, before] = /^before-(\d{1,15})$/.exec(cursor ?? '') ?? []
  const filter = filterOf(fields)
  return {
    ...filter,
    until: before === undefined ? filter.until : Number(before),
    limit: limitOf(fields.get('limit')),
    cursor: before === undefined ? cursor : undefined,
  }
}

const filterOf = (fields: URLSearchParams): AuditFilter => {
  const word = (name: string): string | undefined => fields.get(name)?.slice(0, 512) || undefined
  return {
    ...{ person: word('person'), tool: word('tool'), source: word('source') },
    kind: oneOf('kind', auditKinds, word('kind')),
    outcome: oneOf('outcome', auditOutcomes, word('outcome')),
    ...{ since: timeOf('since', word('since')), until: timeOf('until', word('until')) },
  }
}

const oneOf = <Word extends string>(
  name: string,
  known: readonly Word[],
  word: string | undefined,
): Word | undefined => {
  if (word === undefined || known.includes(word as Word)) return word as Word | undefined
  throw invalid(`'${name}' must be one of ${known.join(', ')}.`)
}

const timeOf = (name: string, word: string | undefined): number | undefined => {
  const at = word === undefined ? undefined : /^\d{10,15}$/.test(word) ? Number(word) : Date.parse(word)
  if (Number.isNaN(at)) throw invalid(`'${name}' must be a time, as 2026-11-16T08:00:00Z or in milliseconds.`)
  return at
}

const limitOf = (word: string | null): number => {
  if (word === null) return 100
  const limit = Number(word)
  if (Number.isInteger(limit) && limit >= 1 && limit <= mostEntries) return limit
  throw invalid(`'limit' must be a whole number from 1 to ${mostEntries}.`)
}

const formatOf = (word: string | null): 'jsonl' | 'csv' => {
  if (word === null || word === 'jsonl' || word === 'csv') return word ?? 'jsonl'
  throw invalid("'format' must be jsonl or csv.")
}

const invalid = (message: string): GatewayError => new GatewayError('ARGUMENTS_INVALID', message)

/** What was asked for, by the names of its fields: their values may be anything. */
const wordsOf = ({ query }: HttpExchange): string | undefined =>
  [...new Set(query.keys())].sort().join(',') || undefined

/** A batch at a time, and no faster than it is read. */
const sendAll = async (
  audit: AuditDesk,
  filter: AuditFilter,
  format: 'jsonl' | 'csv',
  response: ServerResponse,
): Promise<number> => {
  response.writeHead(200, {
    'Content-Type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
    'Content-Disposition': `attachment; filename="pegboard-audit.${format}"`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  if (format === 'csv') response.write(`${csvHead}\r\n`)
  let count = 0
  for (
    let cursor: string | undefined, isFirst = true;
    (isFirst || cursor !== undefined) && !response.destroyed;
    isFirst = false
  ) {
    const { entries, next } = await audit.search({ ...filter, limit: batch, cursor })
    count += entries.length
    const lines = entries.map((entry) => (format === 'csv' ? `${csvLine(entry)}\r\n` : `${JSON.stringify(entry)}\n`))
    if (!response.write(lines.join('')) && !response.destroyed)
      await Promise.race([once(response, 'drain'), once(response, 'close')])
    cursor = next
  }
  response.end()
  return count
}
