import { plainProfile } from '../faces/mcp/profile.js'
import { serveStdio } from '../faces/mcp/stdio/carrier.js'
import { localCaller } from '../model/caller.js'
import { openBoard } from './board.js'
import { type CommonFlags, readConfig } from './flags.js'
import { openLogger } from './logger.js'
import { untilStopped } from './signals.js'

/** `pegboard stdio`: the gateway as a client's child process. Standard output carries the protocol and nothing else. */
export const stdio = async (flags: CommonFlags & { readonly profile?: string }): Promise<void> => {
  const loaded = await readConfig(flags)
  const logger = openLogger(loaded)
  const board = await openBoard(loaded, { logger, env: process.env, persist: 'if-free' })
  const name = flags.profile ?? 'default'
  const carrier = serveStdio({
    face: board.face,
    caller: name === 'default' ? localCaller : { ...localCaller, profile: name },
    profile: board.findProfile(name) ?? plainProfile,
    input: process.stdin,
    output: process.stdout,
    logger,
  })
  await untilStopped(
    async () => {
      carrier.close()
      await board.close()
    },
    logger,
    carrier.ended,
  )
}
