import type { ParkedRow } from '../../faces/admin/parked.js'
import { say } from '../../serving/locale.js'
import { table } from '../terminal/table.js'
import { painted, print } from '../terminal/terminal.js'
import { type AdminFlags, openAdminClient } from './admin-client.js'

export interface ParkedFlags extends AdminFlags {
  readonly cancel?: string | undefined
}

/** `pegboard waiting`: calls that wait until their callers answer a question, or the end of one of them. */
export const parked = async (flags: ParkedFlags): Promise<void> => {
  const client = await openAdminClient(flags)
  if (flags.cancel !== undefined) {
    await client.del(`/parked/${encodeURIComponent(flags.cancel)}`)
    return print(flags, { cancelled: flags.cancel }, [
      say(
        `Cancelled ${flags.cancel}: its tool was told, its caller will be.`,
        `已取消 ${flags.cancel}：已通知其工具，并将通知其调用方。`,
      ),
    ])
  }
  const { calls } = await client.get<{ calls: readonly ParkedRow[] }>('/parked')
  const now = Date.now()
  print(flags, calls, [
    calls.length === 0
      ? say('No call waits for an answer of its caller.', '没有调用在等待调用方回答。')
      : parkedTable(calls, now),
    ...(calls.length === 0
      ? []
      : [
          painted(
            'dim',
            say('End one with: pegboard waiting --cancel ID', '结束其中一个：pegboard waiting --cancel ID'),
          ),
        ]),
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
      asks.map(kindOf).join(', ') || say('nothing more', '没有更多问题'),
      seconds(now - since),
      expiresAt === undefined ? say('caller is here', '调用方在线') : seconds(expiresAt - now),
    ]),
  )

const kindOf = (method: string): string => method.split('/')[0]!

const seconds = (ms: number): string =>
  say(`${Math.max(0, Math.round(ms / 1000))} s`, `${Math.max(0, Math.round(ms / 1000))} 秒`)
