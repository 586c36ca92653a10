import type { Board } from '../../serving/board.js'
import { say } from '../../serving/locale.js'
import { ours } from './guard.js'
import { toldReason } from './source-words.js'

/** Shorter waits are over before anybody wonders. */
const patienceMs = 400
/** In a pipe nothing can be taken back, so one line, and only where the wait is long (U10). */
const pipePatienceMs = 5000
const clearLine = '\r\u001b[2K'

type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>

/** Says whom we wait for, on standard error: a line that is gone again afterwards; in a pipe, one that stays. */
export interface Waiting {
  tell(names: readonly string[]): void
  end(): void
}

export const showWaiting = (stream: Terminal = process.stderr): Waiting => {
  const isTerminal = stream.isTTY === true
  let names: readonly string[] = []
  let isShown = false
  const show = (): void => {
    isShown = true
    if (isTerminal) stream.write(`${ours(clearLine, stream)}${shortLine(names).slice(0, (stream.columns ?? 80) - 1)}`)
    else if (names.length > 0 && !process.argv.includes('--json')) stream.write(longLine(names))
  }
  const timer = setTimeout(show, isTerminal ? patienceMs : pipePatienceMs)
  return {
    tell: (next) => {
      names = next
      if (isShown && isTerminal) show()
    },
    end: () => {
      clearTimeout(timer)
      if (isShown && isTerminal) stream.write(ours(clearLine, stream))
    },
  }
}

/** Waits until every source has reported or failed, and says which ones: a server that downloads itself may take a minute. */
export const settledWithProgress = async (
  board: Pick<Board, 'gateway' | 'settled'>,
  stream: Terminal = process.stderr,
): Promise<void> => {
  const waiting = showWaiting(stream)
  const tell = (): void =>
    waiting.tell(
      board.gateway
        .sources()
        .flatMap(({ name, status }) => (status.state === 'starting' ? [named(name, status.reason)] : [])),
    )
  const stop = board.gateway.onSource(tell)
  try {
    tell()
    await board.settled()
  } finally {
    stop()
    waiting.end()
  }
}

/** A name, with what it waits for where that is known: a first start downloads (U10). */
const named = (name: string, reason: string | undefined): string =>
  reason === undefined ? name : say(`${name} (${toldReason(reason)})`, `${name}（${toldReason(reason)}）`)

const shortLine = (names: readonly string[]): string =>
  names.length === 0
    ? say('Starting …', '正在启动 …')
    : say(`Waiting for ${names.join(', ')} …`, `正在等待 ${names.join('、')} …`)

const longLine = (names: readonly string[]): string =>
  say(
    `pegboard: still waiting for ${names.join(', ')}; a first start may have to download it\n`,
    `pegboard: 仍在等待 ${names.join('、')}；首次启动可能需要下载\n`,
  )
