import type { Config } from '../config/schema.js'
import type { Shares } from '../model/shares.js'
import type { CurrentConfig } from './current.js'

/** What callers may hold whichever door they come by; the doors have bounds of their own. */
export const followBounds = (current: CurrentConfig, shares: Shares): void => {
  const apply = ({ server: { limits }, parking }: Config): void =>
    shares.limit({
      followed: { perCaller: limits.maxFollowedPerCaller, inAll: limits.maxFollowed },
      questions: { perCaller: parking.questionsPerCaller },
    })
  apply(current.now)
  const settings = ['server.limits.maxFollowed', 'server.limits.maxFollowedPerCaller', 'parking.questionsPerCaller']
  current.follow(settings, apply)
}
