import { plainProfile } from '../../faces/mcp/profile.js'
import { serveStdio } from '../../faces/mcp/stdio/carrier.js'
import type { Caller } from '../../model/caller.js'
import type { ServeStdioOptions } from './options.js'
import type { Opened, Stage } from './stage.js'

const stdioCaller: Caller = Object.freeze({ id: 'stdio', rights: Object.freeze(['discover', 'call'] as const) })

/** The board over a pair of pipes. `ended` resolves when the client has left. */
export const openStdio = (stage: Stage, options: ServeStdioOptions): Opened & { readonly ended: Promise<void> } => {
  const { face, findProfile, clock, logger } = stage
  const { caller = stdioCaller, input = process.stdin, output = process.stdout } = options
  const profile = findProfile(caller.profile ?? 'default') ?? plainProfile
  const carrier = serveStdio({ face, caller, profile, input, output, clock, logger })
  return { ended: carrier.ended, close: async () => carrier.close() }
}
