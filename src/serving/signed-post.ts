import { createHmac } from 'node:crypto'
import type { GuardedFetch } from '../sources/guarded-fetch.js'

/** What is posted to whoever the operator has named. */
export interface Posted {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
}

/** The other end answered, and did not take it. */
export class NotTaken extends Error {
  constructor(readonly status: number) {
    super(`It answered ${status}.`)
  }
}

/** Rejects unless the other end took it: by any 2xx, which it resolves with. A redirect is not followed, and so not taken. */
export const post = async (fetch: GuardedFetch, url: URL, { headers, body, timeoutMs }: Posted): Promise<number> => {
  const { status } = await fetch(url, {
    ...{ method: 'POST', headers, body, maxBytes: 64 * 1024 },
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (status < 200 || status > 299) throw new NotTaken(status)
  return status
}

/** Signed with the time, against whoever sends it again: HMAC-SHA-256 over `SECONDS.BODY`. */
export const signatureOf = (secret: string, body: string, now: number): string => {
  const seconds = Math.floor(now / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
