import type { LoadedConfig } from '../../config/load.js'
import { isGatewayError } from '../../errors.js'
import { say } from '../../serving/locale.js'
import { answers } from '../../serving/running/dial.js'
import { readRecord } from '../../serving/running/record.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'

/** Ends this start with a clear word where a gateway runs on the same data folder, whatever its port. */
export const refuseSecond = async ({ dataFolder, config }: LoadedConfig): Promise<void> => {
  if (config.storage.backend === 'memory') return
  const looked = await readRecord(dataFolder)
  if (looked.state === 'found' && (await answers(looked.record)))
    throw alreadyRuns(looked.record.url, looked.record.pid)
}

/**
 * The store was taken by another process between our look and now, as when two are started at once, or by a client's own
 * board. Whichever it is, its owner is named.
 */
export const tellWhoHasIt = async (error: unknown, { dataFolder }: LoadedConfig): Promise<never> => {
  const pid = isGatewayError(error) ? error.details?.pid : undefined
  if (typeof pid !== 'number') throw error
  const looked = await readRecord(dataFolder)
  if (looked.state === 'found' && looked.record.pid === pid) throw alreadyRuns(looked.record.url, pid)
  throw new CommandFailed(
    say(
      `The data folder ${dataFolder} is in use by another Pegboard (pid ${pid}): a gateway that is starting, or a client's own (pegboard stdio). ${another()}`,
      `数据目录 ${dataFolder} 正被另一个 Pegboard（pid ${pid}）使用：可能是正在启动的网关，或某个客户端自己的进程（pegboard stdio）。${another()}`,
    ),
    exitCodes.failed,
  )
}

const alreadyRuns = (url: string, pid: number): CommandFailed =>
  new CommandFailed(
    say(
      `Pegboard already runs at ${url} (pid ${pid}). Use that one, or stop it (kill ${pid}). ${another()}`,
      `Pegboard 已在 ${url} 运行（pid ${pid}）。请直接使用，或先停止它（kill ${pid}）。${another()}`,
    ),
    exitCodes.failed,
  )

const another = (): string =>
  say(
    'A second one beside it needs a data folder of its own: pegboard serve --data-path FOLDER --port PORT',
    '若要同时再运行一个，请给它单独的数据目录：pegboard serve --data-path 目录 --port 端口',
  )
