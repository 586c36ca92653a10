import { isRecord, type JsonObject } from '../model/json.js'

/**
 * Under which a gateway tells, in the `_meta` of its handshake, which gateways a call to it may reach: itself first, then
 * those behind its sources. One that finds itself named there would mount itself.
 */
export const gatewaysKey = 'pegboard/gateways'

// A chain longer than this is no chain that anybody built on purpose.
export const mostGateways = 64

/** The ids that a handshake names; none for a server that is no gateway of ours. */
export const gatewaysIn = (hello: JsonObject): readonly string[] => {
  const named = isRecord(hello._meta) ? hello._meta[gatewaysKey] : undefined
  return Array.isArray(named) ? named.filter(isId).slice(0, mostGateways) : []
}

const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{32}$/.test(value)
