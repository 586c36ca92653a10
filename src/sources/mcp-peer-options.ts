import type { ClientPeerOptions } from '../mcp/client/client-peer.js'
import type { Verdict } from '../mcp/client/handshake.js'
import type { McpSourceOptions } from './mcp-source-options.js'

/** How connections to a source introduce themselves, and in which era if that was found out before. */
export const peerOptionsOf = (
  options: McpSourceOptions,
  verdict: Verdict | undefined,
  onVerdict: (verdict: Verdict) => void,
): ClientPeerOptions => {
  const { clientInfo, clock, logger, era = 'auto', startTimeoutMs = 30_000 } = options
  return {
    clientInfo,
    clock,
    logger,
    era,
    connectTimeoutMs: startTimeoutMs,
    verdict,
    onVerdict: (found) => {
      onVerdict(found)
      options.onVerdict?.(found)
    },
  }
}
