import type { Board } from './board.js'
import { say } from './locale.js'

/** Shorter waits are over before anybody wonders. */
const patienceMs = 400
const clearLine = '\r\u001b[2K'

type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>

/** A line on a terminal that says whom we wait for, on standard error and gone again afterwards. */
export interface Waiting {
  tell(names: readonly string[]): void
  end(): void
}

export const showWaiting = (stream: Terminal = process.stderr): Waiting => {
  if (stream.isTTY !== true) return { tell: () => {}, end: () => {} }
  let names: readonly string[] = []
  let isShown = false
  const show = (): void => {
    isShown = true
    const text =
      names.length === 0
        ? say('Starting …', '正在启动 …')
        : say(`Waiting for ${names.join(', ')} …`, `正在等待 ${names.join('、')} …`)
    stream.write(`${clearLine}${text.slice(0, (stream.columns ?? 80) - 1)}`)
  }
  const timer = setTimeout(show, patienceMs)
  return {
    tell: (next) => {
      names = next
      if (isShown) show()
    },
    end: () => {
      clearTimeout(timer)
      if (isShown) stream.write(clearLine)
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
    waiting.tell(board.gateway.sources().flatMap(({ name, status }) => (status.state === 'starting' ? [name] : [])))
  const stop = board.gateway.onSource(tell)
  try {
    tell()
    await board.settled()
  } finally {
    stop()
    waiting.end()
  }
}
