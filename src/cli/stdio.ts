import { plainProfile } from '../faces/mcp/profile.js'
import { serveStdio } from '../faces/mcp/stdio/carrier.js'
import { openStdioVisitor } from './access.js'
import { openBoard } from './board.js'
import { type CommonFlags, readConfig } from './flags.js'
import { say } from './locale.js'
import { openLogger } from './logger.js'
import { hearStop, untilStopped } from './signals.js'

/** `pegboard stdio`: the gateway as a client's child process. Standard output carries the protocol and nothing else. */
export const stdio = async (
  flags: CommonFlags & { readonly profile?: string },
  onSettled: () => void,
): Promise<void> => {
  const told = hearStop()
  const loaded = await readConfig(flags)
  const logger = openLogger(loaded)
  const visitor = await openStdioVisitor(loaded.config, flags.profile ?? 'default', logger)
  const board = await openBoard(loaded, { logger, env: process.env, persist: 'if-free' })
  void board.settled().then(onSettled)
  const carrier = serveStdio({
    face: board.face,
    caller: visitor.caller,
    profile: board.findProfile(visitor.profile) ?? plainProfile,
    input: process.stdin,
    output: process.stdout,
    logger,
  })
  visitor.onLeave(() => {
    logger.log('warn', say('The key of this client is no longer good; goodbye.', '该客户端的密钥已失效，连接结束。'))
    carrier.close()
  })
  const left = carrier.ended.then(() => say('the client left', '客户端已离开'))
  await untilStopped(
    Promise.race([told, left]),
    async () => {
      carrier.close()
      await board.close()
      await visitor.close()
    },
    logger,
  )
}
