import { sendJson } from './answer.js'
import { isProfileName, metadataPath, type PublicPlace, plainScope } from './challenge.js'
import { notFound } from './http-error.js'
import type { HttpExchange, Route } from './route.js'

export interface ResourceMetadataOptions extends PublicPlace {
  /** Whose tokens we take; the first is the one that clients try. */
  readonly authorizationServers: () => readonly string[]
  readonly name: string
}

/**
 * What every endpoint says of itself to who has no token yet (RFC 9728 §3): at the root, behind the well-known name and, since
 * some clients look there, below the endpoint. A profile that does not exist says the same as one that does: names would leak.
 */
export const resourceMetadata = (options: ResourceMetadataOptions): readonly Route[] => {
  const { base, path, authorizationServers, name } = options
  const below = path === '/' ? '' : path
  const answer = ({ params, response }: HttpExchange): undefined => {
    const { profile } = params
    if (profile !== undefined && !isProfileName(profile)) throw notFound('There is no such endpoint.')
    const document = {
      resource: profile === undefined ? base() + path : `${base()}${below}/${profile}`,
      authorization_servers: authorizationServers(),
      scopes_supported: [plainScope],
      bearer_methods_supported: ['header'],
      resource_name: name,
    }
    sendJson(response, 200, document, headers)
    return undefined
  }
  return [...new Set(placesOf(below, prefixOf(base())))].map((where) => ({
    method: 'GET',
    path: where,
    right: 'open',
    anyOrigin: true,
    handle: answer,
  }))
}

const headers = { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' }

const placesOf = (below: string, prefix: string): string[] => [
  metadataPath,
  // A public address with a path of its own: RFC 9728 puts the well-known name before all of it.
  ...[`${metadataPath}${below}`, `${metadataPath}${prefix}${below}`].flatMap((each) => [each, `${each}/:profile`]),
  `${below}${metadataPath}`,
  ...(below === '' ? [] : [`${below}/:profile${metadataPath}`]),
]

const prefixOf = (base: string): string => new URL(base).pathname.replace(/\/+$/, '')
