import type { SessionAnswer } from '../../../src/faces/admin/session.js'
import { del, get, request } from './client.js'

export const readSession = (): Promise<SessionAnswer> => get<SessionAnswer>('/session')

/** The key is shown once, in a header; what stays is a cookie that no script of this page can read. */
export const signInByKey = async (key: string): Promise<SessionAnswer> => {
  // A header holds no other letters; whatever else was pasted is no key.
  const shown = /^[\x21-\x7e]+$/.test(key) ? key : 'rtk_'
  const response = await request('POST', '/session', { body: {}, headers: { Authorization: `Bearer ${shown}` } })
  return (await response.json()) as SessionAnswer
}

/** Where a script that is being written is kept while its writer is signed in. */
export const scriptPlace = 'pegboard.script'

/** Where what was last sent to tools by hand is kept, as long. */
export const triesPlace = 'pegboard.tries'

export const signOut = (): Promise<unknown> => {
  sessionStorage.removeItem(scriptPlace)
  sessionStorage.removeItem(triesPlace)
  return del('/session')
}

/** Takes the key of a link `#key=…` out of the address, so that it is neither bookmarked nor seen over a shoulder. */
export const takeKeyOfLink = (): string | undefined => {
  const [, key] = /^#key=(rtk_[0-9a-f]{64})$/.exec(location.hash) ?? []
  if (location.hash.startsWith('#key=')) history.replaceState(null, '', `${location.pathname}#/`)
  return key
}

/** Earlier versions kept keys here. */
export const forgetKeptKeys = (): void => {
  sessionStorage.removeItem('pegboard.key')
  localStorage.removeItem('pegboard.key')
}

/** Where somebody goes on who came here to sign in: these places and nothing else, whatever the address says. */
const nextOf = (search: string): { readonly next: string; readonly t: string } | undefined => {
  const query = new URLSearchParams(search)
  const [next, t] = [query.get('next') ?? '', query.get('t') ?? '']
  if (next === 'me') return { next, t: '' }
  return next === 'connect' && /^[\w.~-]{1,2048}$/.test(t) ? { next, t } : undefined
}

/** The same for the way by the identity provider. */
export const providerLink = (url: string): string => {
  const next = nextOf(location.search)
  const query = next && new URLSearchParams(next.t === '' ? { next: next.next } : { ...next })
  if (!query && location.hash === '#/me') return `${url}?next=me`
  const [, call] = /^#\/approvals\/(\w{1,64})$/.exec(location.hash) ?? []
  if (!query && call !== undefined) return `${url}?next=approvals&t=${call}`
  return query ? `${url}?${query}` : url
}

/** Goes on where the address says, if it does. True where the page is left. */
export const goOn = (): boolean => {
  const next = nextOf(location.search)
  if (!next) return false
  if (next.next === 'connect') location.replace(`./connect?t=${next.t}`)
  else location.replace('./#/me')
  return true
}
