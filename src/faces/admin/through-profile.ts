import { GatewayError } from '../../errors.js'
import { type Caller, profileFor, throughProfile } from '../../model/caller.js'

/** Whoever is signed in, through a profile that they may use; without one as they are. */
export const callerThrough = (caller: Caller, profile: string | undefined): Caller => {
  if (profile === undefined) return caller
  if (profileFor(caller, profile) === undefined)
    throw new GatewayError('ACCESS_DENIED', `The profile '${profile}' is not yours.`)
  return throughProfile(caller, profile)
}
