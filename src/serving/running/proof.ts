import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** The header in which either side proves that it has read the run record; the key itself never travels. */
export const proofHeader = 'pegboard-proof'

export type Side = 'caller' | 'gateway'

export const newNonce = (): string => randomBytes(18).toString('base64url')

/** What only somebody with the key can say about this nonce. The sides differ, or one could be answered with its own words. */
export const proofOf = (key: string, side: Side, nonce: string): string =>
  createHmac('sha256', key).update(`${side}:${nonce}`).digest('base64url')

export const isProof = (key: string, side: Side, nonce: string, told: string): boolean => {
  const expected = Buffer.from(proofOf(key, side, nonce))
  const given = Buffer.from(told)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** A caller's header: the nonce and what proves the key. */
export const toCallerProof = (key: string, nonce: string): string => `${nonce}.${proofOf(key, 'caller', nonce)}`

/** The nonce of a header that proves the key, else undefined. */
export const checkCallerProof = (key: string, header: unknown): string | undefined => {
  const [nonce, told] = typeof header === 'string' ? header.split('.') : []
  if (nonce === undefined || told === undefined || nonce.length < 16 || nonce.length > 64) return undefined
  return isProof(key, 'caller', nonce, told) ? nonce : undefined
}
