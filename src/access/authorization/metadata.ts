import type { Addresses } from './endpoints.js'
import { jwtBearer } from './token.js'

export interface MetadataFacts {
  readonly registers: boolean
  readonly takesDocuments: boolean
  readonly takesAssertions: boolean
}

/** What clients must know of us (RFC 8414), the same under every name by which they look for it. */
export const authorizationMetadata = (
  { issuer, at }: Addresses,
  facts: MetadataFacts,
): Readonly<Record<string, unknown>> => ({
  issuer,
  authorization_endpoint: at('/authorize'),
  token_endpoint: at('/token'),
  registration_endpoint: facts.registers ? at('/register') : undefined,
  revocation_endpoint: at('/revoke'),
  userinfo_endpoint: at('/userinfo'),
  scopes_supported: ['mcp:read', 'mcp:call', 'mcp:register', 'openid', 'profile', 'email'],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token', ...(facts.takesAssertions ? [jwtBearer] : [])],
  authorization_grant_profiles_supported: facts.takesAssertions
    ? ['urn:ietf:params:oauth:grant-profile:id-jag']
    : undefined,
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: facts.takesDocuments,
})

/**
 * The same for those who look for an OpenID provider, which we are not: what such a document must hold is there, so that it
 * can be read, and no ID token is ever given.
 */
export const discoveryMetadata = (addresses: Addresses, facts: MetadataFacts): Readonly<Record<string, unknown>> => ({
  ...authorizationMetadata(addresses, facts),
  jwks_uri: addresses.at('/.well-known/jwks.json'),
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
})
