import { type HttpError, notFound } from '../../http/http-error.js'
import { type Caller, profileFor, throughProfile } from '../../model/caller.js'

/** What this face needs of a profile; which tools it shows is the policy's question. */
export interface RestProfile {
  /** UTF-8 bytes of a result. Undefined: no limit. */
  readonly maxResultBytes?: number | undefined
}

/** Finds a profile by name; undefined when there is none. */
export type FindRestProfile = (name: string) => RestProfile | undefined

export const defaultProfile = 'default'

/** The caller through the profile they name. A key tied to a profile sees no other, whatever the query says. */
export const withProfile = (caller: Caller, named: unknown, find: FindRestProfile): Caller => {
  if (typeof named !== 'string' || named === caller.profile) return caller
  if (profileFor(caller, named) === undefined || !find(named)) throw noSuchProfile()
  return throughProfile(caller, named)
}

const noSuchProfile = (): HttpError =>
  notFound('There is no such profile.', { hint: 'Leave "profile" out for the default one.' })
