import { isRecord } from '../../model/json.js'

type Claims = Readonly<Record<string, unknown>>

/** Why a token whose signature is good is no access token after all; undefined for one that is. */
export const notForUs = (claims: Claims): string | undefined => {
  // An ID token tells a client who somebody is, and is in every log of that client.
  if (['nonce', 'at_hash', 'c_hash'].some((name) => claims[name] !== undefined) || claims.typ === 'ID')
    return 'is an ID token; send the access token'
  if (claims.typ === 'Refresh' || claims.typ === 'Offline' || claims.events !== undefined) return 'is no access token'
  // Whoever stole it could use it here, which it was made to prevent.
  if (claims.cnf !== undefined)
    return 'is bound to a key that only its client can prove (cnf), which cannot be shown here'
  return undefined
}

/** Its words of scope; undefined where it says nothing of scopes, and so narrows nothing. */
export const scopesIn = (claims: Claims): readonly string[] | undefined => {
  const said = claims.scope ?? claims.scp
  const words = (Array.isArray(said) ? said : typeof said === 'string' ? said.split(' ') : []).filter(
    (word): word is string => typeof word === 'string' && word !== '',
  )
  return words.length === 0 ? undefined : words
}

export const clientIn = (claims: Claims): string | undefined =>
  [claims.client_id, claims.azp, claims.cid, claims.appid].find(
    (each): each is string => typeof each === 'string' && each !== '' && each.length <= 2048,
  )

/**
 * Whether no person stands behind it. Issuers say it in their own ways: the client is its own subject (RFC 9068), Auth0 by
 * `gty`, Entra by `idtyp`, Keycloak by the claims of its service accounts. None of them is a word that people choose themselves,
 * as a user name is.
 */
export const isMachine = (claims: Claims): boolean => {
  const client = clientIn(claims)
  return (
    (client !== undefined && claims.sub === client) ||
    claims.gty === 'client-credentials' ||
    claims.idtyp === 'app' ||
    (client !== undefined && claims.client_id === claims.azp && typeof claims.clientHost === 'string') ||
    isRecord(claims['kubernetes.io'])
  )
}

export const issuedAtMs = ({ iat }: Claims): number | undefined =>
  typeof iat === 'number' && Number.isFinite(iat) ? iat * 1000 : undefined
