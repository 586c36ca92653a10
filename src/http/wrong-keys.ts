import { isIPv6 } from 'node:net'
import type { Clock } from '../model/clock.js'
import { plainAddress } from './behind-proxy.js'

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
      const key = networkOf(address ?? '')
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

/** One IPv6 user has a whole /64 to draw addresses from, and zeros in it can be written or left out. */
export const networkOf = (address: string): string => {
  const plain = plainAddress(address)
  if (!isIPv6(plain)) return plain
  const [before = '', after] = plain.replace(/%.*$/, '').split('::')
  const first = before === '' ? [] : before.split(':')
  const last = after === undefined || after === '' ? [] : after.split(':')
  // Four numbers at the end stand for two groups.
  const groups = first.length + last.length + (plain.includes('.') ? 1 : 0)
  const all = after === undefined ? first : [...first, ...Array<string>(8 - groups).fill('0'), ...last]
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
