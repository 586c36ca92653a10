import type { ParkedRow } from '../faces/admin/board.js'
import { type AdminFlags, openAdminClient } from './admin-client.js'
import { table } from './table.js'
import { painted, say } from './terminal.js'

export interface ParkedFlags extends AdminFlags {
  readonly cancel?: string
}

/** `pegboard parked`: calls that wait until their callers answer a question, or the end of one of them. */
export const parked = async (flags: ParkedFlags): Promise<void> => {
  const client = await openAdminClient(flags)
  if (flags.cancel !== undefined) {
    await client.del(`/parked/${encodeURIComponent(flags.cancel)}`)
    return say(flags, { cancelled: flags.cancel }, [
      `Cancelled ${flags.cancel}: its tool was told, its caller will be.`,
    ])
  }
  const { calls } = await client.get<{ calls: readonly ParkedRow[] }>('/parked')
  const now = Date.now()
  say(flags, calls, [
    calls.length === 0 ? 'No call waits for an answer of its caller.' : parkedTable(calls, now),
    ...(calls.length === 0 ? [] : [painted('dim', 'End one with: pegboard parked --cancel ID')]),
  ])
}

/** Who is asked what, since when and until when. */
export const parkedTable = (calls: readonly ParkedRow[], now: number): string =>
  table(
    ['ID', 'TOOL', 'CALLER', 'ASKED FOR', 'SINCE', 'EXPIRES IN'],
    calls.map(({ id, name, caller, asks, since, expiresAt }) => [
      id,
      name,
      caller,
      asks.map(kindOf).join(', ') || 'nothing more',
      seconds(now - since),
      expiresAt === undefined ? 'caller is here' : seconds(expiresAt - now),
    ]),
  )

const kindOf = (method: string): string => method.split('/')[0]!

const seconds = (ms: number): string => `${Math.max(0, Math.round(ms / 1000))} s`
