import { hash } from 'node:crypto'
import { isSameRedirect, parseRedirect, type Redirect } from './redirects.js'

/** A program that asks to be let in for somebody. Nobody has verified what it says of itself. */
export interface OAuthClient {
  /** As it names itself in requests. */
  readonly id: string
  /** As sessions and tokens name it: the address of its document, or a short name of its registration. */
  readonly key: string
  readonly name: string
  /** The host of its document. Undefined where it has registered itself, and nobody vouches for its name. */
  readonly home: string | undefined
  readonly redirects: readonly Redirect[]
  /** Changes when its redirects do. */
  readonly version: string
}

const registered = 'registered:'

/** By which tokens know their client. A registration is long, and says nothing that a row would need. */
export const clientKeyOf = (id: string): string =>
  id.startsWith(registrationPrefix) ? `${registered}${hash('sha256', id, 'base64url').slice(0, 16)}` : id

/** In front of the id of a client that has registered itself. */
export const registrationPrefix = 'pgc_'

export const clientOf = (facts: Pick<OAuthClient, 'id' | 'name' | 'home' | 'redirects'>): OAuthClient => ({
  ...facts,
  key: clientKeyOf(facts.id),
  version: hash('sha256', facts.redirects.map(({ text }) => text).join('\n'), 'base64url').slice(0, 16),
})

/** The address asked for, if it is one of this client's. */
export const redirectOf = (client: OAuthClient, asked: string | undefined): Redirect | undefined => {
  const redirect = parseRedirect(asked)
  return redirect && client.redirects.some((known) => isSameRedirect(known, redirect)) ? redirect : undefined
}

const longestName = 80
// What is not seen, or turns what stands around it: a name must not write over the words beside it.
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu

/** A name as it may be shown; undefined for what is none. */
export const shownName = (name: unknown): string | undefined => {
  if (typeof name !== 'string' || name.length > 4096) return undefined
  const plain = [...name.replaceAll(unseen, ' ').replaceAll(/\s+/g, ' ').trim()].slice(0, longestName).join('')
  return plain === '' ? undefined : plain
}
