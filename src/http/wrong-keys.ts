import { isIPv6 } from 'node:net'
import type { Clock } from '../model/clock.js'

export interface WrongKeysOptions {
  readonly clock: Clock
  /** Wrong keys an address may show per minute before it is told to wait. Default: 10. */
  readonly perMinute?: number | undefined
  /** Addresses remembered; the one unseen longest is forgotten first. Default: 10,000. */
  readonly maxAddresses?: number | undefined
}

export interface WrongKeys {
  /** Counts one; the answer is how long the address should wait, 0 while it may still try. */
  count(address: string | undefined): number
}

interface Bucket {
  tokens: number
  at: number
}

/** A bucket per address that a wrong key drains and time refills (A9). */
export const createWrongKeys = ({ clock, perMinute = 10, maxAddresses = 10_000 }: WrongKeysOptions): WrongKeys => {
  const buckets = new Map<string, Bucket>()
  const refillMs = 60_000 / perMinute

  return {
    count: (address) => {
      const key = network(address ?? '')
      const now = clock.now()
      const { tokens, at } = buckets.get(key) ?? { tokens: perMinute, at: now }
      const filled = Math.min(perMinute, tokens + (now - at) / refillMs)
      // Put back last: a Map remembers the order, and the first is the one to forget.
      buckets.delete(key)
      buckets.set(key, { tokens: Math.max(0, filled - 1), at: now })
      if (buckets.size > maxAddresses) buckets.delete(buckets.keys().next().value!)
      return filled >= 1 ? 0 : Math.ceil((1 - filled) * refillMs)
    },
  }
}

// One IPv6 user has a whole /64 to draw addresses from.
const network = (address: string): string =>
  isIPv6(address) && !address.startsWith('::ffff:') ? address.split(':').slice(0, 4).join(':') : address
