import type { HttpExchange } from '../../../http/route.js'
import { profileFor, throughProfile } from '../../../model/caller.js'
import type { Visitor } from '../exchange.js'
import type { FindProfile } from '../profile.js'

/** Who asks, and through which profile. A key tied to a profile sees no other, whatever the path says. */
export const visitorOf = ({ caller, params }: HttpExchange, findProfile: FindProfile): Visitor | undefined => {
  const asked = params.profile
  // Nearly everybody is tied to none, or is where they belong: they are not asked about any further.
  const profileName =
    caller.profiles || caller.profile !== undefined ? profileFor(caller, asked) : (asked ?? defaultProfile)
  const profile = profileName === undefined ? undefined : findProfile(profileName)
  if (profileName === undefined || !profile) return undefined
  const isThere = profileName === (caller.profile ?? defaultProfile)
  return { caller: isThere ? caller : throughProfile(caller, profileName), profile, profileName }
}

const defaultProfile = 'default'
