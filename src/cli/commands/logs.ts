import { stripVTControlCharacters } from 'node:util'
import { GatewayError } from '../../errors.js'
import type { LogLine } from '../../faces/admin/calls.js'
import { say } from '../../serving/locale.js'
import { isOutputGone, painted } from '../terminal/terminal.js'
import { type AdminFlags, openAdminClient } from './admin-client.js'

export interface LogsFlags extends AdminFlags {
  readonly follow?: boolean | undefined
  readonly lines?: string | undefined
}

const pollMs = 1000

/** `pegboard logs [SOURCE]`: the newest lines of the running gateway's log; with `--follow` also those to come. */
export const logs = async (source: string | undefined, flags: LogsFlags): Promise<void> => {
  const client = await openAdminClient(flags)
  const wanted = linesOf(flags.lines)
  let seen: readonly string[] = []
  let printed = false
  const print = async (most: number): Promise<void> => {
    const { lines } = await client.get<{ lines: readonly LogLine[] }>('/logs')
    const texts = lines.map((line) => JSON.stringify(line))
    const fresh = lines.slice(firstNew(seen, texts)).filter((line) => source === undefined || line.source === source)
    seen = texts
    printed ||= fresh.length > 0
    for (const line of fresh.slice(-most))
      process.stdout.write(`${flags.json ? JSON.stringify(line) : logLine(line)}\n`)
  }
  await print(wanted)
  if (!printed && !flags.follow && !flags.json)
    process.stderr.write(
      say(
        `pegboard: no lines${source === undefined ? '' : ` about '${source}'`} yet.\n`,
        `pegboard: 还没有${source === undefined ? '' : `与“${source}”有关的`}日志。\n`,
      ),
    )
  while (flags.follow && !isOutputGone()) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    await print(500)
  }
}

const linesOf = (text = '50'): number => {
  const lines = Number(text)
  if (Number.isInteger(lines) && lines >= 1) return Math.min(lines, 500)
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    say(
      '--lines must be a whole number from 1; at most 500 are kept.',
      '--lines 必须是不小于 1 的整数；最多保留 500 条。',
    ),
  )
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
