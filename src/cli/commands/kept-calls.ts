import type { HistoryAnswer, HistoryEntry, HistoryStats } from '../../faces/admin/history.js'
import { historyFolder } from '../../serving/history.js'
import { say } from '../../serving/locale.js'
import { readConfig } from '../../serving/read-config.js'
import { readRecord } from '../../serving/running/record.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { pastTime } from '../terminal/past-time.js'
import { type AdminFlags, openAdminClient } from './admin-client.js'

export interface KeptCallFlags extends AdminFlags {
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly tool?: string | undefined
  readonly source?: string | undefined
  readonly client?: string | undefined
  readonly caller?: string | undefined
  readonly profile?: string | undefined
  readonly code?: string | undefined
  readonly run?: string | undefined
  readonly text?: string | undefined
  readonly failed?: boolean | undefined
  readonly by?: string | undefined
}

/** The history, wherever it is asked. */
export interface KeptCallsView {
  list(asked: URLSearchParams): Promise<HistoryAnswer>
  stats(asked: URLSearchParams): Promise<HistoryStats>
  one(id: string): Promise<HistoryEntry>
}

/** The running gateway, which has what is not on the disk yet, and asks its fleet; else the files that it left. */
export const openKeptCalls = async (flags: AdminFlags): Promise<KeptCallsView> => {
  const { config, dataFolder } = await readConfig(flags)
  const isTold = flags.port !== undefined || flags.host !== undefined
  if (isTold || (await readRecord(dataFolder)).state === 'found') return askedOf(flags)
  return readFrom(historyFolder(config))
}

const askedOf = async (flags: AdminFlags): Promise<KeptCallsView> => {
  const client = await openAdminClient(flags)
  return {
    list: (asked) => client.get(`/history?${asked}`),
    stats: (asked) => client.get(`/history-stats?${asked}`),
    one: (id) => client.get(`/history/${encodeURIComponent(id)}`),
  }
}

const readFrom = async (folder: string): Promise<KeptCallsView> => {
  const [{ readHistory }, { ownList, ownStats }, { callsAsked, statsAsked }] = await Promise.all([
    import('../../history/history.js'),
    import('../../faces/admin/whole-history.js'),
    import('../../faces/admin/history-query.js'),
  ])
  const reader = readHistory(folder)
  // Whoever can read the files reads all that is in them.
  const desk = { isKept: () => true, reader: async () => reader }
  return {
    list: (asked) => ownList(desk, callsAsked(asked)),
    stats: (asked) => ownStats(desk, statsAsked(asked, Date.now())),
    one: async (id) => {
      const found = await reader.one(id)
      if (found) return { call: found.call, values: found.values ? 'shown' : 'none', ...found.values }
      throw new CommandFailed(
        say(`There is no call '${id}' in ${folder}.`, `${folder} 中没有调用“${id}”。`),
        exitCodes.notFound,
      )
    },
  }
}

/** What was typed, as the API spells it. */
export const askedBy = (flags: KeptCallFlags): URLSearchParams => {
  const asked = new URLSearchParams()
  const { tool, source, client, caller, profile, code, run, text, by } = flags
  const words = { tool, source, client, caller, profile, code, run, text, by }
  for (const [name, word] of Object.entries(words)) if (word !== undefined) asked.set(name, word)
  const from = pastTime('--since', flags.since)
  const to = pastTime('--until', flags.until)
  if (from !== undefined) asked.set('from', String(from))
  if (to !== undefined) asked.set('to', String(to))
  if (flags.failed) asked.set('outcome', 'failed')
  return asked
}
