import type { ParkedRow } from '../faces/admin/board.js'
import type { LoggedCall, Minute } from '../faces/admin/call-log.js'
import type { SourceRow } from '../faces/admin/sources.js'
import type { CallStats } from '../telemetry/calls.js'
import { type AdminFlags, openAdminClient } from './admin-client.js'
import { table } from './table.js'
import { painted, say } from './terminal.js'

/** What `GET /overview` answers, as far as it is used here. */
export interface Overview {
  readonly version: string
  readonly startedAt: number
  readonly now: number
  readonly sources: readonly SourceRow[]
  readonly tools: number
  readonly held: number
  readonly parked: readonly ParkedRow[]
  readonly stats: CallStats
  readonly minutes: readonly Minute[]
  readonly profile?: { readonly tokens: number; readonly flatTokens: number }
  readonly failures: readonly LoggedCall[]
}

/** `pegboard stats`: how the running gateway is doing. */
export const stats = async (flags: AdminFlags): Promise<void> => {
  const client = await openAdminClient(flags)
  const overview = await client.get<Overview>('/overview')
  say(flags, overview, [...summary(overview, client.address), '', sourceTable(overview.sources)])
}

/** The three lines that say most. */
export const summary = (overview: Overview, address: string): readonly string[] => {
  const { version, startedAt, now, stats: counted, minutes, tools, held, parked, profile } = overview
  const mean = counted.calls === 0 ? 0 : counted.totalLatencyMs / counted.calls
  const minute = minutes.at(-1)
  return [
    `pegboard ${version} at ${address}, up ${duration(now - startedAt)}`,
    `calls ${counted.calls}, errors ${counted.errors}, mean ${mean.toFixed(1)} ms, this minute ${minute?.calls ?? 0}` +
      (parked.length > 0 ? `, ${painted('yellow', `${parked.length} waiting for an answer (pegboard parked)`)}` : ''),
    `tools ${tools}${held > 0 ? `, ${painted('yellow', `${held} held back (pegboard lock diff)`)}` : ''}` +
      (profile ? `, list about ${profile.tokens} tokens (all of them: ${profile.flatTokens})` : ''),
  ]
}

/** Sources with their states. */
export const sourceTable = (sources: readonly SourceRow[]): string =>
  sources.length === 0
    ? 'No sources.'
    : table(
        ['SOURCE', 'KIND', 'STATE', 'TOOLS', 'REASON'],
        sources.map(({ name, kind, state, tools, reason }) => [name, kind, state, String(tools), reason ?? '']),
      )

const duration = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return `${Math.floor(ms / 1000)} s`
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
