import type { LoadedConfig } from '../config/load.js'
import type { SourceInfo } from '../gateway.js'
import { silentLogger } from '../telemetry/logger.js'
import { type Board, openBoard } from './board.js'
import { type CommonFlags, readConfig } from './flags.js'
import { say } from './locale.js'
import { openLogger } from './logger.js'
import { settledWithProgress } from './progress.js'
import { stateHere, toldReason } from './source-words.js'

/**
 * A board of its own for one look, its sources started; closed again afterwards. What a source says while it fails is
 * told as its state, not as lines between the answer's.
 */
export const withBoard = async (
  flags: CommonFlags,
  look: (board: Board, loaded: LoadedConfig) => Promise<void>,
): Promise<void> => {
  const loaded = await readConfig(flags)
  const board = await openBoard(loaded, {
    logger: flags.logLevel === undefined ? silentLogger : openLogger(loaded),
    env: process.env,
    persist: 'never',
  })
  try {
    await settledWithProgress(board)
    await look(board, loaded)
  } finally {
    await board.close()
  }
}

/** What is missing from an answer and why: a source that is down must not look like a source without tools. */
export const tellMissing = ({ gateway, problems }: Board): void => {
  const held = gateway.catalog.held().length
  if (held > 0)
    tell(
      say(
        `${held} held back by the lock file. Look: pegboard lock diff`,
        `${held} 个工具被锁文件扣留。查看：pegboard lock diff`,
      ),
    )
  for (const { name, status } of gateway.sources().filter(isDown))
    tell(
      say(
        `source '${name}' is ${stateHere(status.state)}: ${oneLine(status.reason ?? 'no reason given')}`,
        `来源“${name}”${stateHere(status.state)}：${oneLine(toldReason(status.reason) ?? '没有说明原因')}`,
      ),
    )
  for (const [name, problem] of problems())
    tell(
      say(`source '${name}' could not be mounted: ${oneLine(problem)}`, `来源“${name}”无法挂载：${oneLine(problem)}`),
    )
  if (gateway.sources().some(isDown)) tell(say('what to do about it: pegboard doctor', '如何解决：pegboard doctor'))
}

/** Asleep is not down: it wakes when it is called. */
export const isDown = ({ status }: SourceInfo): boolean => status.state !== 'ready' && status.state !== 'stopped'

/** The first line of a reason and the end of what a program wrote, which is where it says why. */
export const oneLine = (text: string): string => {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return (lines.length > 6 ? [lines[0], '…', ...lines.slice(-4)] : lines).join(' | ').slice(0, 800)
}

const tell = (text: string): void => void process.stderr.write(`pegboard: ${text}\n`)
