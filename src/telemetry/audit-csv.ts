import type { AuditEntry } from './audit-entry.js'

const columns: readonly (readonly [name: string, of: (entry: AuditEntry) => string | number | undefined])[] = [
  ['at', ({ at }) => at],
  ['kind', ({ kind }) => kind],
  ['action', ({ action }) => action],
  ['outcome', ({ outcome }) => outcome],
  ['code', ({ code }) => code],
  ['severity', ({ severity }) => severity],
  ['actor', ({ actor }) => actor.id],
  ['actor_type', ({ actor }) => actor.type],
  ['actor_name', ({ actor }) => actor.name],
  ['via', ({ actor }) => actor.via],
  ['client', ({ actor }) => actor.client],
  ['ip', ({ actor }) => actor.ip],
  ['on_type', ({ on }) => on?.type],
  ['on', ({ on }) => on?.id],
  ['profile', ({ profile }) => profile],
  ['source', ({ source }) => source],
  ['ms', ({ ms }) => ms],
  ['attempts', ({ attempts }) => attempts],
  ['bytes_in', ({ sizes }) => sizes?.in],
  ['bytes_out', ({ sizes }) => sizes?.out],
  ['before', ({ before }) => before],
  ['after', ({ after }) => after],
  ['count', ({ count }) => count],
  ['trace', ({ trace }) => trace],
  ['chain', ({ chain }) => chain],
  ['seq', ({ seq }) => seq],
  ['replica', ({ replica }) => replica],
  ['run', ({ run }) => run],
  ['step', ({ step }) => step],
]

/** The first line: what the columns are called. */
export const csvHead = columns.map(([name]) => name).join(',')

/** A line of the trail for a spreadsheet (RFC 4180). Shapes and values do not fit into cells and stay in the JSON. */
export const csvLine = (entry: AuditEntry): string => columns.map(([, of]) => csvCell(of(entry))).join(',')

/** A cell of a table for a spreadsheet (RFC 4180). A tool's name is a stranger's word, and a spreadsheet runs what begins like a formula. */
export const csvCell = (value: string | number | undefined): string => {
  if (value === undefined) return ''
  const text = typeof value === 'number' ? String(value) : value
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
