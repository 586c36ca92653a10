import type { CallOrigin, FaceName } from '../../model/call.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import type { Exchange } from './exchange.js'

const longestName = 64
const longestVersion = 32

/** By what a call came in that a client made: a modern one says who it is with each request, a legacy one did once. */
export const originOf = ({ sender, session }: Pick<Exchange, 'sender' | 'session'>): CallOrigin => {
  const face = session?.origin.face ?? 'mcp'
  if (sender.era === 'modern') return originFrom(face, sender.version, sender.clientInfo)
  // Without a session nobody has said who they are.
  return session?.origin.protocol === undefined ? { face, protocol: sender.version } : session.origin
}

/** What a handshake settled. */
export const originFrom = (face: FaceName, protocol: string, clientInfo: unknown): CallOrigin => {
  const { name, version } = isRecord(clientInfo) ? (clientInfo as JsonObject) : nobody
  return { face, client: shortText(name, longestName), version: shortText(version, longestVersion), protocol }
}

const nobody: JsonObject = {}

const shortText = (value: unknown, most: number): string | undefined =>
  typeof value !== 'string' || value === '' ? undefined : value.length > most ? value.slice(0, most) : value
