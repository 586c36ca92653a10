import { GatewayError } from '../../errors.js'
import { signInRequired } from '../sign-in-required.js'
import type { CallerAuth } from './options.js'

export const notHere = (name: string): GatewayError =>
  new GatewayError(
    'SOURCE_NOT_FOUND',
    `There is no source named '${name.slice(0, 64)}' that can be signed in. See the list: pegboard auth`,
  )

export const byItself = (name: string): GatewayError =>
  new GatewayError('SOURCE_INVALID', `'${name}' signs in by itself with what its configuration says; nobody has to.`)

export const forThemselves = (name: string): GatewayError =>
  new GatewayError('SOURCE_INVALID', `Everybody signs in at '${name}' for themselves, on their own page: /me`)

/** Whoever brought it may be the victim: they are not told whose it is. */
export const notWhoBegan = (): GatewayError =>
  new GatewayError(
    'ACCESS_DENIED',
    'This sign-in was begun by somebody else, or you are not signed in here. Nothing was kept. Begin again on your own page.',
  )

export const nowhere = (): GatewayError =>
  new GatewayError(
    'SOURCE_UNAVAILABLE',
    'There is no address to which a browser could be sent back. Run: pegboard serve',
  )

export const unknownState = (): GatewayError =>
  new GatewayError(
    'ACCESS_DENIED',
    'This way back belongs to no sign-in that was begun here, or it was used or is too old. Begin again.',
  )

export const nobodyHere = (name: string): GatewayError =>
  new GatewayError(
    'SOURCE_NOT_FOUND',
    `There is no source named '${name.slice(0, 64)}' at which people sign in for themselves.`,
  )

export const notByBrowser = (name: string, type: CallerAuth['type']): GatewayError =>
  type === 'key'
    ? signInRequired(name, 'key', `'${name}' takes a key that you paste on your page.`)
    : new GatewayError('SOURCE_INVALID', `'${name}' knows you by your sign-in at the gateway; nothing more is needed.`)

export const notByKey = (name: string): GatewayError =>
  new GatewayError('SOURCE_INVALID', `'${name}' takes no pasted key. Sign in there in a browser.`)

export const nowhereKept = (): Promise<never> =>
  Promise.reject(new GatewayError('SOURCE_INVALID', 'Nobody can sign in for themselves here: there is no vault.'))
