import type { LoadedConfig } from '../../config/load.js'
import type { SourceInfo } from '../../gateway.js'
import { count, say } from '../../serving/locale.js'
import type { CommonFlags } from '../../serving/read-config.js'
import { openLine } from '../../serving/running/line.js'
import { locate } from '../../serving/running/place.js'
import type { BoardNeeds, BoardView, OpenedView } from '../../serving/view.js'
import { shortReason } from '../terminal/short-reason.js'
import { stateHere } from '../terminal/source-words.js'

/**
 * A look at the board: at the gateway that runs with this configuration, so that what is done there is recorded, limited
 * and held back as any other call; else at one of its own, with the sources that are needed.
 */
export const withBoard = async (
  flags: BoardFlags,
  look: (board: BoardView, loaded: Pick<LoadedConfig, 'file'>) => Promise<void>,
  needs: BoardNeeds = {},
): Promise<void> => {
  const { board, loaded, close } = await openView(flags, needs)
  try {
    await look(board, loaded)
  } finally {
    await close()
  }
}

export const openView = async (flags: BoardFlags, needs: BoardNeeds): Promise<OpenedView> => {
  const line = flags.alone === true ? undefined : await lineOf(flags)
  if (!line) return (await import('./alone.js')).openOwnBoard(flags, needs)
  const { viewOf } = await import('./running-view.js')
  try {
    return { ...(await viewOf(line, flags, needs)), running: line.record, close: async () => line.close() }
  } catch (error) {
    line.close()
    throw error
  }
}

export interface BoardFlags extends CommonFlags {
  readonly alone?: boolean | undefined
}

/** The running gateway, with a word to people where one seems to be there and cannot be asked. */
const lineOf = async (flags: BoardFlags) => {
  const place = await locate(flags)
  if (!place) return undefined
  const { line, notice } = await openLine(place)
  if (notice) tell(`${notice.message} (${notice.code}) ${say('Going on alone.', '改为单独运行。')}`)
  return line
}

/** What is missing from an answer and why: a source that is down must not look like a source without tools. */
export const tellMissing = (board: Pick<BoardView, 'gateway' | 'problems' | 'heldBack'>): void => {
  const { gateway, problems } = board
  const { rows, lockFile } = board.heldBack()
  const tools = rows.filter(({ kind }) => kind === 'tool')
  const changed = tools.filter(({ why }) => why === 'change').length
  const look = lockFile ? 'pegboard lock diff' : 'pegboard approvals'
  if (changed > 0)
    tell(
      say(
        `${count(changed, 'tool')} changed since approved, held back. Look: ${look}`,
        `${changed} 个工具在批准之后有变化，已被扣留。查看：${look}`,
      ),
    )
  const fresh = tools.length - changed
  if (fresh > 0)
    tell(
      say(
        `${count(fresh, 'tool')} not approved yet, held back. Look: ${look}`,
        `${fresh} 个工具尚未批准，已被扣留。查看：${look}`,
      ),
    )
  for (const { name, status } of gateway.sources().filter(isDown))
    tell(
      say(
        `source '${name}' is ${stateHere(status.state)}: ${oneLine(shortReason(status.reason ?? 'no reason given'))}`,
        `来源“${name}”${stateHere(status.state)}：${oneLine(shortReason(status.reason ?? '没有说明原因'))}`,
      ),
    )
  for (const [name, problem] of problems())
    tell(
      say(`source '${name}' could not be mounted: ${oneLine(problem)}`, `来源“${name}”无法挂载：${oneLine(problem)}`),
    )
  if (gateway.sources().some(isDown)) tell(say('what to do about it: pegboard doctor', '如何解决：pegboard doctor'))
}

/** Asleep is not down: it wakes when it is called. */
export const isDown = ({ status: { state } }: SourceInfo): boolean =>
  state !== 'ready' && state !== 'stopped' && state !== 'elsewhere'

/** The first line of a reason and the end of what a program wrote, which is where it says why. */
export const oneLine = (text: string): string => {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return (lines.length > 6 ? [lines[0], '…', ...lines.slice(-4)] : lines).join(' | ').slice(0, 800)
}

const tell = (text: string): void => void process.stderr.write(`pegboard: ${text}\n`)
