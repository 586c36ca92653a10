import { plainProfile } from '../faces/mcp/profile.js'
import { type StdioCarrier, serveStdio } from '../faces/mcp/stdio/carrier.js'
import type { Logger } from '../telemetry/logger.js'
import type { StdioVisitor } from './access.js'
import type { Board } from './board.js'
import { say } from './locale.js'
import type { StdioOptions } from './open-board.js'

/** Serves MCP to the one client at the other end of these pipes, until it leaves or its key is no longer good. */
export const openClient = (
  board: Board,
  visitor: StdioVisitor,
  { input, output }: StdioOptions,
  logger: Logger,
): StdioCarrier => {
  const carrier = serveStdio({
    face: board.face,
    caller: visitor.caller,
    // Asked each time: an edit of the profile counts at once.
    get profile() {
      return board.findProfile(visitor.profile) ?? plainProfile
    },
    input,
    output,
    logger,
  })
  visitor.onLeave(() => {
    logger.log('warn', say('The key of this client is no longer good; goodbye.', '该客户端的密钥已失效，连接结束。'))
    carrier.close()
  })
  return carrier
}
