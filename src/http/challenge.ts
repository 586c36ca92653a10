import type { IncomingMessage } from 'node:http'
import type { Right } from '../model/caller.js'
import { scopeFor } from '../model/role.js'

/** Where we are, as clients and issuers of tokens write it. */
export interface PublicPlace {
  /** Our public address without a last slash; asked at each use. */
  readonly base: () => string
  /** Below it, the endpoint of the default profile; others are below that. */
  readonly path: string
}

/** What a client without a good token is told, and where it reads on (RFC 6750, RFC 9728). */
export interface DoorChallenge {
  /** With a 401. */
  unauthenticated(request: IncomingMessage, hasShown: boolean): string
  /** With a 403 that another token of the same person would not get: its scope lacks what their role has. */
  insufficientScope(request: IncomingMessage, right: Right): string
}

export const metadataPath = '/.well-known/oauth-protected-resource'

/** What is asked for by who knows nothing yet; without `offline_access`, which is not ours to want. */
export const plainScope = 'mcp:call'

/** A legal name of a profile, the same as in a configuration: nothing in it can end a quoted text or a line. */
export const isProfileName = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text)

/**
 * The endpoint that a request is for, as tokens name it: one for each profile, and for all else (REST, administration) the
 * first. The path is taken as it came: who writes a name in another way is at no endpoint that a token could be for.
 */
export const endpointOf = ({ base, path }: PublicPlace, { url = '' }: Pick<IncomingMessage, 'url'>): string => {
  const name = nameBelow(path, url)
  return name === undefined ? base() + path : `${base()}${path === '/' ? '' : path}/${name}`
}

/** The one segment below our path; undefined for whatever is elsewhere. */
const nameBelow = (path: string, url: string): string | undefined => {
  const start = path === '/' ? 1 : path.length + 1
  if (url.length <= start || url[start - 1] !== '/' || !url.startsWith(path)) return undefined
  const cut = url.indexOf('?', start)
  const name = cut < 0 ? url.slice(start) : url.slice(start, cut)
  return name === '' || name.includes('/') ? undefined : name
}

/**
 * Made of constants, the public address and names that are legal for a profile: whether there is such a profile makes no
 * difference, or challenges would tell which there are.
 */
export const createChallenge = (place: PublicPlace): DoorChallenge => {
  const metadataFor = ({ url = '' }: IncomingMessage): string => {
    const { base, path } = place
    const name = nameBelow(path, url)
    const below = path === '/' ? '' : path
    return `resource_metadata="${base()}${metadataPath}${name !== undefined && isProfileName(name) ? `${below}/${name}` : below}"`
  }
  return {
    unauthenticated: (request, hasShown) =>
      `Bearer ${hasShown ? 'error="invalid_token", ' : ''}${metadataFor(request)}, scope="${plainScope}"`,
    insufficientScope: (request, right) =>
      `Bearer error="insufficient_scope", scope="${scopeFor(right)}", ${metadataFor(request)}`,
  }
}
