import { GatewayError } from '../../errors.js'
import { auditKinds, auditOutcomes } from '../../telemetry/audit-entry.js'
import type { AuditFilter, AuditQuery } from '../../telemetry/audit-search.js'

const mostEntries = 500

/** What is asked of the trail, out of an address. */
export const queryOf = (fields: URLSearchParams): AuditQuery => ({
  ...filterOf(fields),
  limit: limitOf(fields.get('limit')),
  cursor: fields.get('cursor') ?? undefined,
})

const filterOf = (fields: URLSearchParams): AuditFilter => {
  const word = (name: string): string | undefined => fields.get(name)?.slice(0, 512) || undefined
  return {
    ...{ person: word('person'), tool: word('tool'), source: word('source'), run: word('run') },
    kind: oneOf('kind', auditKinds, word('kind')),
    outcome: oneOf('outcome', auditOutcomes, word('outcome')),
    ...{ since: timeOf('since', word('since')), until: timeOf('until', word('until')) },
  }
}

export const oneOf = <Word extends string>(
  name: string,
  known: readonly Word[],
  word: string | undefined,
): Word | undefined => {
  if (word === undefined || known.includes(word as Word)) return word as Word | undefined
  throw invalid(`'${name}' must be one of ${known.join(', ')}.`)
}

export const timeOf = (name: string, word: string | undefined): number | undefined => {
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

export const formatOf = (word: string | null): 'jsonl' | 'csv' => {
  if (word === null || word === 'jsonl' || word === 'csv') return word ?? 'jsonl'
  throw invalid("'format' must be jsonl or csv.")
}

export const invalid = (message: string): GatewayError => new GatewayError('ARGUMENTS_INVALID', message)
