/**
 * Why a connection ended, as far as it matters for the next one.
 * `replaced`: somebody else uses our token. `refused`: the token is not accepted. `broken`: the far side's own failure,
 * code 4004. `address`: nothing of this kind lives there. `silent`: it stopped answering. `late`: it never opened.
 * `refresh`: we left to have our list read again. `closed`: anything else, from a restart to a cut cable.
 */
export type EndingKind = 'replaced' | 'refused' | 'broken' | 'address' | 'silent' | 'late' | 'refresh' | 'closed'

export interface Ending {
  readonly kind: EndingKind
  /** What happened, in words that may be shown: no part of the token. */
  readonly words: string
  /** The close code or HTTP status. */
  readonly code?: number | undefined
  /** The far side asked for at least this. */
  readonly retryAfterMs?: number | undefined
}

/** By close code (X8, X9). */
export const endingOfClose = (code: number, reason: string): Ending => {
  const words = `the far side closed the connection (${code}${reason && ` ${reason}`})`
  if (code === 1000 && /替换|replac/i.test(reason)) return { kind: 'replaced', words, code }
  if (code === 1008) return { kind: 'refused', words, code }
  if (code === 4004) return { kind: 'broken', words, code }
  return { kind: 'closed', words, code }
}

const longestRetryAfterMs = 15 * 60_000

/** By the HTTP status with which the handshake was turned down. */
export const endingOfStatus = (status: number, retryAfter?: string): Ending => {
  const words = `the far side answered the handshake with HTTP ${status}`
  if (status === 401 || status === 403) return { kind: 'refused', words, code: status }
  if (status === 404 || status === 410 || (status >= 300 && status < 400))
    return { kind: 'address', words, code: status }
  const seconds = Number(retryAfter)
  const waits = retryAfter !== undefined && seconds > 0
  return {
    kind: 'closed',
    words,
    code: status,
    retryAfterMs: waits ? Math.min(seconds * 1000, longestRetryAfterMs) : undefined,
  }
}

/** The numbers of document 001 for a link (001-13). */
export const linkNumber = (kind: EndingKind): number => {
  if (kind === 'refused') return 4002
  return kind === 'silent' || kind === 'late' ? 4003 : 4001
}

/** What a person can do about it; undefined where waiting is enough. */
export const adviceOf: Readonly<Record<EndingKind, string | undefined>> = {
  replaced: 'Another program uses the same address: stop it, or give each program an address of its own.',
  refused: 'The token is not accepted: copy the current address from the console of your agent into the configuration.',
  broken:
    'The far side fails on its own (4004): look at the agent in its console; too many tools are a known reason, so try a smaller profile.',
  address: 'No endpoint lives at this address: compare it with the console of your agent.',
  silent: undefined,
  late: 'The host does not answer: check the address and the network between.',
  refresh: undefined,
  closed: undefined,
}
