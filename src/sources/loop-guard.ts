import { randomBytes } from 'node:crypto'
import { GatewayError } from '../errors.js'
import { gatewaysIn, mostGateways } from '../mcp/gateways.js'
import type { JsonObject } from '../model/json.js'

/** Keeps a gateway from mounting itself, at once or by way of others (D9). One per gateway. */
export interface LoopGuard {
  /** The gateways that a call to us may reach, ourselves first: what we tell in handshakes. */
  reach(): readonly string[]
  /** Throws LOOP_DETECTED for an address that is our own. */
  checkAddress(source: string, url: string): void
  /** Notes what a server said of itself, and tells whether it is a gateway. Throws LOOP_DETECTED where it leads to us. */
  admit(source: string, hello: JsonObject): boolean
  /** The source is gone, and what it led to with it. */
  leave(source: string): void
}

export const createLoopGuard = (isOurs: (url: string) => boolean = () => false): LoopGuard => {
  const id = randomBytes(16).toString('hex')
  const behind = new Map<string, readonly string[]>()
  return {
    reach: () => [...new Set([id, ...[...behind.values()].flat()])].slice(0, mostGateways),
    checkAddress: (source, url) => {
      if (isOurs(url)) throw loop(source, 'its address is this gateway’s own')
    },
    admit: (source, hello) => {
      const reached = gatewaysIn(hello)
      if (reached.includes(id)) {
        behind.delete(source)
        throw loop(
          source,
          reached[0] === id ? 'it is this gateway itself' : 'it is a gateway that leads back to this one',
        )
      }
      if (reached.length > 0) behind.set(source, reached)
      return reached.length > 0
    },
    leave: (source) => void behind.delete(source),
  }
}

const loop = (source: string, why: string): GatewayError =>
  new GatewayError(
    'LOOP_DETECTED',
    `The source '${source}' is not mounted: ${why}. Take it out of the configuration, or point it at another server.`,
    { details: { source }, notSent: true },
  )
