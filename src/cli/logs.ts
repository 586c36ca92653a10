import { stripVTControlCharacters } from 'node:util'
import type { LogLine } from '../faces/admin/log-ring.js'
import { type AdminFlags, openAdminClient } from './admin-client.js'
import { painted } from './terminal.js'

export interface LogsFlags extends AdminFlags {
  readonly follow?: boolean
  readonly lines?: string
}

const pollMs = 1000

/** `pegboard logs [SOURCE]`: the newest lines of the running gateway's log; with `--follow` also those to come. */
export const logs = async (source: string | undefined, flags: LogsFlags): Promise<void> => {
  const client = await openAdminClient(flags)
  const wanted = Math.min(Math.max(1, Number(flags.lines ?? 50) || 50), 500)
  let seen: readonly string[] = []
  const print = async (most: number): Promise<void> => {
    const { lines } = await client.get<{ lines: readonly LogLine[] }>('/logs')
    const texts = lines.map((line) => JSON.stringify(line))
    const fresh = lines.slice(firstNew(seen, texts)).filter((line) => source === undefined || line.source === source)
    seen = texts
    for (const line of fresh.slice(-most))
      process.stdout.write(`${flags.json ? JSON.stringify(line) : logLine(line)}\n`)
  }
  await print(wanted)
  while (flags.follow) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    await print(500)
  }
}

/** Where the lines begin that were not there before; equal lines may come twice, so the end is what is looked for. */
const firstNew = (before: readonly string[], now: readonly string[]): number => {
  const last = before.at(-1)
  return last === undefined ? 0 : now.lastIndexOf(last) + 1
}

const levels = { debug: 'dim', info: 'reset', warn: 'yellow', error: 'red' } as const

const logLine = ({ at, level, service, source, message }: LogLine): string =>
  [
    painted('dim', new Date(at).toISOString().slice(11, 19)),
    painted(levels[level], level.toUpperCase().padEnd(5)),
    painted('dim', source ?? service ?? ''),
    stripVTControlCharacters(message).replace(/\s*\n\s*/g, ' | '),
  ]
    .filter(Boolean)
    .join(' ')
