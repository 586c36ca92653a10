import { GatewayError } from '../../errors.js'
import { plainText } from '../../telemetry/plain-text.js'
import type { Guards } from './leash/guards.js'

/** The command line of a child process, and the key of the process pool: equal commands share one child. */
export interface ChildCommand extends Guards {
  readonly command: string
  /** Handed over as they are; there is never a shell in between (T15). */
  readonly args?: readonly string[] | undefined
  /** Variables declared for this child, besides the few harmless ones that every child gets. */
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
  /**
   * Time for a launcher such as npx or uvx to download what it runs, which its start timeout does not count. Default:
   * 300,000. Not a part of what makes two equal.
   */
  readonly downloadTimeoutMs?: number | undefined
  /** Whose lines these are in the log; the first to ask, where a process is shared. Not a part of what makes two equal. */
  readonly source?: string | undefined
  /** Keeps it from being shared: only commands with the same word here may be one process. */
  readonly apart?: string | undefined
}

/** Refuses what no system could run. The text of arguments stays out of the message: they may hold secrets. */
export const checkCommand = ({ command, args = [], cwd = '' }: ChildCommand): void => {
  if (typeof command !== 'string' || command.trim() === '') {
    throw new GatewayError('SOURCE_INVALID', 'A stdio source needs a "command": the program to run.')
  }
  const wrong = [command, ...args, cwd].some((text) => typeof text !== 'string' || text.includes('\0'))
  if (!wrong) return
  throw new GatewayError(
    'SOURCE_INVALID',
    `"args" and "cwd" of ${plainText(command)} must be text without NUL characters.`,
  )
}
