import { emitKeypressEvents } from 'node:readline'
import type { LoggedCall } from '../../faces/admin/calls.js'
import { say } from '../../serving/locale.js'
import { ours } from '../terminal/guard.js'
import { table } from '../terminal/table.js'
import { isInteractive, painted, print } from '../terminal/terminal.js'
import { type AdminClient, type AdminFlags, openAdminClient } from './admin-client.js'
import { parkedTable } from './parked.js'
import { type StatsOverview, sourceTable, summary } from './stats.js'

export interface TopFlags extends AdminFlags {
  readonly once?: boolean | undefined
}

const refreshMs = 1000
const windowMs = 60_000

/** `pegboard top`: which tools are called, how often, how fast and how well; live on a terminal, once in a pipe. */
export const top = async (flags: TopFlags): Promise<void> => {
  const client = await openAdminClient(flags)
  if (flags.json || flags.once || !isInteractive()) {
    const { overview, busiest } = await read(client)
    return print(flags, { overview, tools: busiest }, frame(overview, busiest, client.address))
  }
  await live(client)
}

interface ToolLoad {
  readonly tool: string
  readonly calls: number
  readonly errors: number
  readonly p50: number
  readonly p95: number
}

const read = async (client: AdminClient) => {
  const overview = await client.get<StatsOverview>('/overview')
  const { calls } = await client.get<{ calls: readonly LoggedCall[] }>('/calls')
  return { overview, busiest: loadOf(calls, overview.now) }
}

/** The last minute, tool by tool, the busiest first. */
export const loadOf = (calls: readonly LoggedCall[], now: number): readonly ToolLoad[] => {
  const byTool = new Map<string, LoggedCall[]>()
  for (const call of calls) {
    const name = nameOf(call)
    if (now - call.at <= windowMs) byTool.set(name, [...(byTool.get(name) ?? []), call])
  }
  return [...byTool]
    .map(([tool, own]) => {
      const times = own.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b)
      const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
      return { tool, calls: own.length, errors: own.filter(({ ok }) => !ok).length, p50: at(0.5), p95: at(0.95) }
    })
    .sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1))
}

/** A gateway of an earlier version says no kind: it knew calls of tools alone. */
const nameOf = ({ kind, tool }: Partial<Pick<LoggedCall, 'kind'>> & Pick<LoggedCall, 'tool'>): string =>
  kind === undefined || kind === 'tool' ? tool : `${kind} ${tool}`

const frame = (overview: StatsOverview, busiest: readonly ToolLoad[], address: string): readonly string[] => [
  ...summary(overview, address),
  '',
  busiest.length === 0
    ? painted('dim', say('No calls in the last minute.', '最近一分钟没有调用。'))
    : table(
        ['CALLS/MIN', 'ERRORS', 'P50 MS', 'P95 MS', 'TOOL'],
        busiest
          .slice(0, 20)
          .map(({ tool, calls, errors, p50, p95 }) => [
            String(calls),
            String(errors),
            p50.toFixed(1),
            p95.toFixed(1),
            tool,
          ]),
      ),
  '',
  sourceTable(overview.sources),
  ...(overview.parked.length === 0 ? [] : ['', parkedTable(overview.parked.slice(0, 10), overview.now)]),
  ...overview.failures
    .slice(0, 5)
    .map(({ tool, code, message }) => painted('red', `${tool}: ${code}: ${message ?? ''}`)),
]

// The alternate screen: what was on the terminal before is there again afterwards.
const enter = '\u001b[?1049h\u001b[?25l'
const leave = '\u001b[?25h\u001b[?1049l'
const home = '\u001b[H\u001b[2J'

const live = async (client: AdminClient): Promise<void> => {
  const stop = new AbortController()
  emitKeypressEvents(process.stdin)
  process.stdin.setRawMode(true)
  process.stdin.on('keypress', (_, key: { name?: string | undefined; ctrl?: boolean | undefined }) => {
    if (key.name === 'q' || key.name === 'escape' || (key.ctrl && key.name === 'c')) stop.abort()
  })
  process.stdin.resume()
  process.stdout.write(ours(enter, process.stdout))
  try {
    while (!stop.signal.aborted) {
      const { overview, busiest } = await read(client)
      const rows = process.stdout.rows ?? 24
      const lines = frame(overview, busiest, client.address).flatMap((each) => each.split('\n'))
      process.stdout.write(
        `${ours(home, process.stdout)}${[...lines.slice(0, rows - 2), '', painted('dim', say('q leaves', '按 q 退出'))].join(ours('\r\n', process.stdout))}`,
      )
      await pause(refreshMs, stop.signal)
    }
  } finally {
    process.stdin.setRawMode(false)
    process.stdin.pause()
    process.stdout.write(ours(leave, process.stdout))
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
