import { GatewayError } from '../errors.js'

/**
 * What one caller can hold of a gateway. `most` are the bounds where nothing else is said: far above what a person with twenty
 * clients uses, all of which are one caller on their own machine, and far below what would cost another caller something.
 */
export const kinds = {
  sessions: kind(
    'sessions in use',
    [1000, 10_000],
    ['server.limits.maxSessionsPerCaller', 'server.limits.maxSessions'],
  ),
  streams: kind('listening streams', [100, 10_000], ['server.limits.maxStreamsPerCaller', 'server.limits.maxStreams']),
  followed: kind(
    'followed resources',
    [2000, 50_000],
    ['server.limits.maxFollowedPerCaller', 'server.limits.maxFollowed'],
    undefined,
  ),
  requestBytes: kind(
    'bytes of requests',
    [64 * 1024 ** 2, 256 * 1024 ** 2],
    ['server.limits.maxBufferedBytesPerCaller', 'server.limits.maxBufferedBytes'],
    1000,
  ),
  largeRequests: kind(
    'large requests a second',
    [10, Number.POSITIVE_INFINITY],
    ['server.limits.largeRequestsPerSecond', 'server.limits.largeRequestsPerSecond'],
    1000,
  ),
  unreadBytes: kind(
    'bytes of answers that it does not read',
    [64 * 1024 ** 2, 256 * 1024 ** 2],
    ['server.limits.maxUnreadBytesPerCaller', 'server.limits.maxUnreadBytes'],
    1000,
  ),
  calls: kind('calls running and waiting', [128, 1024], ['calls.concurrencyPerCaller', 'calls.concurrency'], 1000),
  parked: kind('calls that wait for an answer', [32, 128], ['parking.mostPerCaller', 'parking.most'], 60_000),
  questionBytes: kind(
    'bytes of open questions and their calls',
    [8 * 1024 ** 2, 32 * 1024 ** 2],
    ['parking.maxBytesPerCaller', 'parking.maxBytes'],
    60_000,
  ),
  questions: kind(
    'open questions',
    [128, Number.POSITIVE_INFINITY],
    ['parking.questionsPerCaller', 'parking.questionsPerCaller'],
    60_000,
  ),
} as const

function kind(
  noun: string,
  most: readonly [perCaller: number, inAll: number],
  settings: readonly [perCaller: string, inAll: string],
  retryAfterMs: number | undefined = 5000,
) {
  return { noun, most, settings, retryAfterMs, isBytes: noun.startsWith('bytes') }
}

/** One thing that callers hold, and whose count is bounded. */
export type BoundName = keyof typeof kinds

/** Whose bound it was: the caller's own (429), or that of the whole gateway (503). */
export type BoundOwner = 'caller' | 'board'

/** A coded refusal that says which bound, whose, which setting, and when to come back where time helps. */
export const pastBound = (name: BoundName, whose: BoundOwner, most: number, caller: string): GatewayError => {
  const { noun, settings, retryAfterMs } = kinds[name]
  const setting = settings[whose === 'caller' ? 0 : 1]
  const who =
    whose === 'caller' ? `'${caller}' has as many ${noun} as one caller may` : `There are as many ${noun} as may be`
  const advice =
    retryAfterMs === undefined ? 'let some go first' : `let some go, or try again in ${retryAfterMs / 1000} s`
  return new GatewayError(
    whose === 'caller' ? 'QUOTA_EXCEEDED' : 'OVERLOADED',
    `${who} (${most}, ${setting}); ${advice}.`,
    { details: { bound: name, most, setting, retryAfterMs }, retryAfterMs, notSent: true },
  )
}
