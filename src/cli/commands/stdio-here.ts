import { PassThrough } from 'node:stream'
import { say } from '../../serving/locale.js'
import { openBoard } from '../../serving/open-board.js'
import { openTrust, readConfig } from '../../serving/read-config.js'
import type { FarSide } from '../../serving/running/bridge.js'
import { untilStopped } from '../terminal/signals.js'
import type { StdioFlags } from './stdio.js'

/** Serves the client on our standard input until it leaves or we are told to stop. */
export const stdioHere = async (flags: StdioFlags, told: Promise<string>, onSettled: () => void): Promise<void> => {
  const { stdin: input, stdout: output } = process
  const stdio = { input, output, profile: flags.profile }
  const board = await openBoard(await readConfig(flags), {
    stdio,
    persist: 'if-free',
    flags,
    trust: await openTrust(flags),
  })
  void board.settled().then(onSettled)
  const left = board.clientLeft.then(() => say('the client left', '客户端已离开'))
  await untilStopped(Promise.race([told, left]), board.close, board.logger)
}

/** The same behind a bridge whose gateway is gone. It only reads the data folder, so that the next gateway finds it free. */
export const openFarSideHere = async (flags: StdioFlags): Promise<FarSide> => {
  const input = new PassThrough()
  const output = new PassThrough()
  const stdio = { input, output, profile: flags.profile }
  const board = await openBoard(await readConfig(flags), {
    stdio,
    persist: 'never',
    flags,
    trust: await openTrust(flags),
  })
  await board.firstList()
  void board.clientLeft.then(() => output.end())
  return { input, output, close: () => void board.close() }
}
