import { csvCell } from '../telemetry/audit-csv.js'
import type { KeptCall } from './kept-call.js'

type Row = KeptCall & { readonly replica?: string | undefined }

const columns: readonly (readonly [name: string, of: (call: Row) => string | number | undefined])[] = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => new Date(at).toISOString()],
  ['kind', ({ kind }) => kind],
  ['tool', ({ tool }) => tool],
  ['source', ({ source }) => source],
  ['caller', ({ caller }) => caller],
  ['caller_name', ({ callerName }) => callerName],
  ['client', ({ client }) => client],
  ['client_version', ({ clientVersion }) => clientVersion],
  ['profile', ({ profile }) => profile],
  ['face', ({ face }) => face],
  ['protocol', ({ protocol }) => protocol],
  ['outcome', ({ ok, isError }) => (ok && !isError ? 'ok' : 'failed')],
  ['code', ({ code }) => code],
  ['message', ({ message }) => message],
  ['ms', ({ latencyMs }) => latencyMs],
  ['waiting_ms', ({ spent }) => spent.waitingMs],
  ['source_ms', ({ spent }) => spent.sourceMs],
  ['own_ms', ({ spent }) => spent.ownMs],
  ['attempts', ({ attempts }) => attempts],
  ['cached', ({ cached }) => (cached ? 1 : 0)],
  ['bytes_in', ({ argumentBytes }) => argumentBytes],
  ['bytes_out', ({ resultBytes }) => resultBytes],
  ['tokens_in', ({ argumentTokens }) => argumentTokens],
  ['tokens_out', ({ resultTokens }) => resultTokens],
  ['cost', ({ cost }) => cost],
  ['run', ({ run }) => run],
  ['step', ({ step }) => step],
  ['rule', ({ rule }) => rule],
  ['grant', ({ grant }) => grant],
  ['replica', ({ replica }) => replica],
]

/** The first line: what the columns are called. */
export const callsCsvHead = columns.map(([name]) => name).join(',')

/** A call for a spreadsheet. */
export const callCsvLine = (call: Row): string => columns.map(([, of]) => csvCell(of(call))).join(',')
