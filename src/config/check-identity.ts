import { isLoopbackHost } from '../http/admit.js'
import { isRecord } from '../model/json.js'
import type { ConfigFinding } from './issues.js'
import type { Path } from './problems.js'
import type { Settings } from './settings/table.js'

/** How the ways in for people and tokens fit the rest: all of it is known before anybody listens. */
export const checkIdentity = ({ server, auth }: Settings): readonly ConfigFinding[] => {
  const { people, tokens } = auth
  const who = people ? 'auth.people' : 'auth.tokens'
  if (!people && tokens.length === 0) return []
  return [
    ...checkPublicUrl(server.publicUrl, who),
    ...(people === undefined ? [] : checkClient(people)),
    ...tokens.flatMap(({ issuer }, index) => [
      ...checkSecure(issuer, ['auth', 'tokens', index, 'issuer']),
      ...(tokens.findIndex((each) => each.issuer === issuer) === index
        ? []
        : [{ path: ['auth', 'tokens', index, 'issuer'], message: 'is the same as an earlier one; remove one' }]),
    ]),
  ]
}

const checkClient = ({
  issuer,
  clientId,
  clientSecret,
  scopes,
}: NonNullable<Settings['auth']['people']>): readonly ConfigFinding[] => {
  const at = (name: string): Path => ['auth', 'people', name]
  if (issuer === undefined)
    return (['clientId', 'clientSecret'] as const)
      .filter((name) => ({ clientId, clientSecret })[name] !== undefined)
      .map((name) => ({
        path: at(name),
        message: 'is for an identity provider: add auth.people.issuer, or remove it where people sign in with keys',
      }))
  return [
    ...checkSecure(issuer, at('issuer')),
    ...(clientId === undefined
      ? [
          {
            path: at('clientId'),
            message: 'is needed with auth.people.issuer: register a client there, and write its id',
          },
        ]
      : []),
    ...(scopes.includes('openid')
      ? []
      : [{ path: at('scopes'), message: 'must hold "openid": nobody says who it was otherwise' }]),
  ]
}

const checkPublicUrl = (publicUrl: string | undefined, who: string): readonly ConfigFinding[] => {
  const path = ['server', 'publicUrl']
  if (publicUrl !== undefined) return checkSecure(publicUrl, path)
  return [
    {
      path,
      message: `is needed with ${who}: tokens are for an address, so say under which one clients reach this gateway, as https://tools.example.com`,
    },
  ]
}

const checkSecure = (url: string, path: Path): readonly ConfigFinding[] => {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || isLoopbackHost(hostname.replace(/^\[|\]$/g, ''))) return []
  return [{ path, message: 'must begin with https:// unless it is on this machine: tokens pass there' }]
}

/** Where people or tokens are set, everybody must say who they are, unless the operator wrote that nobody must. */
export const withRequired = ({ auth }: Settings, written: unknown): Settings['auth'] => {
  const isSaid = isRecord(written) && written.required !== undefined
  return isSaid || (!auth.people && auth.tokens.length === 0) ? auth : { ...auth, required: true }
}
