import { say } from '../../serving/locale.js'
import { type CommonFlags, readConfig } from '../../serving/read-config.js'
import type { FarSide } from '../../serving/running/bridge.js'
import { type GuestIntroduction, openFarSide } from '../../serving/running/far-side.js'
import type { FoundGateway } from '../../serving/running/line.js'
import { locate } from '../../serving/running/place.js'
import { hearStop } from '../terminal/signals.js'

export interface StdioFlags extends CommonFlags {
  readonly profile?: string | undefined
  readonly alone?: boolean | undefined
}

/**
 * `pegboard stdio`: the gateway as a client's child process. Where one runs with this configuration, a bridge to it and
 * nothing else; standard output carries the protocol alone.
 */
export const stdio = async (asked: StdioFlags, onSettled: () => void): Promise<void> => {
  const told = hearStop()
  // The client chose the folder that we are in; what lies there is not ours to run (S1).
  const flags = { ...asked, here: false }
  const first = flags.alone === true ? undefined : await findFarSide(flags)
  if (!first) return (await import('./stdio-here.js')).stdioHere(flags, told, onSettled)
  const { createBridge } = await import('../../serving/running/bridge.js')
  const { stdin: input, stdout: output } = process
  const bridge = createBridge({ input, output, first, reopen: () => reopen(flags) })
  void told.then(bridge.close)
  await bridge.ended
  // The client's pipe alone would keep us.
  process.stdin.destroy()
}

/** The gateway that runs, or one that is started for all clients where they share. */
const findFarSide = async (flags: StdioFlags): Promise<FarSide | undefined> => {
  const { far, notice } = await look(flags)
  if (notice) tell(`${notice.message} (${notice.code}) ${say('Going on alone.', '改为单独运行。')}`)
  return far ?? (await shared(flags))
}

const look = async (
  flags: StdioFlags,
  again = false,
): Promise<{ readonly far?: FarSide | undefined } & FoundGateway> => {
  const place = await locate(flags)
  return place ? openFarSide(place, { ...introductionOf(flags), again }) : {}
}

const introductionOf = ({ profile = 'default' }: StdioFlags): GuestIntroduction => ({
  profile,
  apiKey: [process.env.PEGBOARD_API_KEY, process.env.REGISTRYTOOLS_API_KEY].find((key) => key?.trim())?.trim(),
})

const shared = async (flags: StdioFlags, again = false): Promise<FarSide | undefined> => {
  const loaded = await readConfig(flags)
  if (!loaded.config.stdio.share || loaded.config.storage.backend === 'memory') return undefined
  const { ensureShared } = await import('../../serving/running/share.js')
  try {
    await ensureShared(loaded, flags)
    return (await look(flags, again)).far
  } catch (error) {
    tell(`${(error as Error).message} ${say('Going on alone.', '改为单独运行。')}`)
    return undefined
  }
}

const comesBackMs = 5000
const pauseMs = 100

/** The gateway is gone. It may be restarting; else another is started where clients share, and else we serve by ourselves. */
const reopen = async (flags: StdioFlags): Promise<FarSide> => {
  tell(say('The gateway has ended; waiting for the next one.', '网关已停止；正在等待重新连接。'))
  const giveUpAt = Date.now() + comesBackMs
  while (Date.now() < giveUpAt) {
    const { far } = await look(flags, true)
    if (far) return far
    const { config } = await readConfig(flags)
    if (config.stdio.share) break
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  const next = await shared(flags, true)
  if (next) return next
  tell(say('None came; serving by itself from here on.', '没有可用的网关；改为由本进程提供服务。'))
  return (await import('./stdio-here.js')).openFarSideHere(flags)
}

const tell = (text: string): void => void process.stderr.write(`pegboard: ${text}\n`)
