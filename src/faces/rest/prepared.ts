import { createHash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Gateway } from '../../gateway.js'
import type { Caller } from '../../model/caller.js'

export interface Prepared {
  readonly etag: string
  /** The bytes of the answer; made when first asked for, then the same for everybody who sees the same. */
  bytes(make: () => unknown): Buffer
}

/** Lists are made once per catalog version, rules and question, then sent as bytes. */
export interface PreparedAnswers {
  of(caller: Caller, question: unknown): Prepared
}

const largestTotal = 64 * 1024 * 1024

export const createPreparedAnswers = (gateway: Gateway): PreparedAnswers => {
  // Versions count from one after each start, and replicas count for themselves; this keeps their tags apart.
  const instance = randomBytes(6).toString('base64url')
  const known = new LRUCache<string, Buffer>({
    maxSize: largestTotal,
    sizeCalculation: ({ length }, key) => length + key.length + 1,
  })
  return {
    of: ({ profile, rights }, question) => {
      const key = JSON.stringify([gateway.catalog.version, gateway.policy.version, profile, rights, question])
      const etag = `"${createHash('sha256').update(instance).update(key).digest('base64url').slice(0, 27)}"`
      return {
        etag,
        bytes: (make) => {
          const found = known.get(key)
          if (found) return found
          const made = Buffer.from(JSON.stringify(make()))
          if (made.length < largestTotal) known.set(key, made)
          return made
        },
      }
    },
  }
}

/** Whether the client has it already. `*` means any; weakness makes no difference for GET (RFC 9110 §13.1.2). */
export const matchesTag = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
