import type { ProfileSettings } from '../profile.js'
import type { EndpointSettings } from './endpoint.js'

/**
 * What the owner left to us is decided by the bytes of the link, not by a number of tools: all of them while they fit,
 * then the tools that search the others. Who wrote `flat` gets all of them, in pages.
 */
export const linkViews = (profile: ProfileSettings): Pick<EndpointSettings, 'view' | 'searchView'> =>
  (profile.expose ?? 'auto') === 'auto'
    ? { view: { ...profile, expose: 'flat' }, searchView: { ...profile, expose: 'search' } }
    : { view: profile }
