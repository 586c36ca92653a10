import type { Board } from './board.js'
import { say } from './locale.js'

/** Shorter waits are over before anybody wonders. */
const patienceMs = 400
const clearLine = '\r\u001b[2K'

/**
 * Waits until every source has reported or failed. On a terminal it says which ones it waits for, on standard error and
 * gone again afterwards: a server that downloads itself first may take a minute.
 */
export const settledWithProgress = async (
  board: Pick<Board, 'gateway' | 'settled'>,
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'> = process.stderr,
): Promise<void> => {
  if (stream.isTTY !== true) return board.settled()
  let isShown = false
  const show = (): void => {
    isShown = true
    const names = board.gateway.sources().flatMap(({ name, status }) => (status.state === 'starting' ? [name] : []))
    const text =
      names.length === 0
        ? say('Starting …', '正在启动 …')
        : say(`Waiting for ${names.join(', ')} …`, `正在等待 ${names.join('、')} …`)
    stream.write(`${clearLine}${text.slice(0, (stream.columns ?? 80) - 1)}`)
  }
  const timer = setTimeout(show, patienceMs)
  const stop = board.gateway.onSource(() => isShown && show())
  try {
    await board.settled()
  } finally {
    clearTimeout(timer)
    stop()
    if (isShown) stream.write(clearLine)
  }
}
