import { z } from 'zod'
import { nonEmpty, url } from './fields.js'

const issuer = () =>
  url(['http', 'https'])
    .optional()
    .describe('The authorization server that may have our secrets. Default: the first one that the server names')
const scopes = () =>
  z
    .array(nonEmpty(256).regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'is not a legal scope; use one word'))
    .max(64)
    .optional()
    .describe('What to ask for, instead of what the server proposes')
const secret = () => nonEmpty(8192).describe('Its secret; best the name of a variable, in braces after a dollar sign')
const clientId = () => nonEmpty(2048)

/** How a remote MCP server is signed in at, where that is not by a fixed header. */
export const sourceAuth = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('oauth').describe('A person signs in: pegboard auth NAME, or the console'),
    clientId: clientId()
      .optional()
      .describe('A client registered there by hand. Default: the gateway registers itself'),
    clientSecret: secret().optional(),
    clientMetadataUrl: url(['https'])
      .refine((value) => new URL(value).pathname !== '/', 'must have a path, as in https://host/client.json')
      .optional()
      .describe('An https address that describes this gateway, used as its id where the server takes such'),
    scopes: scopes(),
    issuer: issuer(),
  }),
  z.strictObject({
    type: z.literal('client-credentials').describe('The gateway signs in for itself, with a secret'),
    clientId: clientId(),
    clientSecret: secret(),
    scopes: scopes(),
    issuer: issuer(),
  }),
  z.strictObject({
    type: z.literal('private-key-jwt').describe('The gateway signs in for itself, with a key that never leaves it'),
    clientId: clientId(),
    privateKey: nonEmpty(16_384)
      .refine((value) => value.includes('-----BEGIN PRIVATE KEY-----'), 'must be a PKCS#8 key in PEM')
      .describe('A PKCS#8 key in PEM; best the name of a variable, in braces after a dollar sign'),
    algorithm: z
      .enum(['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'])
      .default('ES256')
      .describe('How the key signs'),
    scopes: scopes(),
    issuer: issuer(),
  }),
])
