import type { Credentials } from '../mcp/client/signed-transport.js'
import type { Identity } from '../model/caller.js'

/** Says who calls, signed by the gateway, to servers that ask for it. */
export interface CallerAssertions {
  /** What the credentials send, and beside it who calls: for this audience alone, for a minute. */
  by(identity: Identity, audience: string, credentials: Credentials | undefined): Credentials
}
