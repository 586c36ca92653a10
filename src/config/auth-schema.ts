import { z } from 'zod'
import { headerName, nonEmpty, url } from './fields.js'

// Made where a source says how it is signed in at: few do.

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
const header = () =>
  headerName()
    .refine((name) => !neverSet.has(name.toLowerCase()), 'is a header that is not ours to set')
    .default('Authorization')
    .describe('The header that carries it')
const prefix = () =>
  z
    .string()
    .max(64)
    .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
    .optional()
    .describe('What stands before it there, as in "Bearer "')

// They frame the message, name its place, or are the protocol's own.
const neverSet: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'content-type', 'connection', 'transfer-encoding', 'te', 'trailer', 'upgrade'],
  ...['accept', 'expect', 'mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'last-event-id'],
])

const clientCredentials = () =>
  z.strictObject({
    type: z.literal('client-credentials').describe('The gateway signs in for itself, with a secret'),
    clientId: clientId(),
    clientSecret: secret(),
    scopes: scopes(),
    issuer: issuer(),
  })

/** Whose credential reads the lists of a source that everybody signs in at for themselves. */
const listAs = () =>
  z
    .discriminatedUnion('type', [
      z.strictObject({
        type: z.literal('key').describe("A key of the gateway's own"),
        header: header(),
        prefix: prefix(),
        key: secret(),
      }),
      clientCredentials(),
    ])
    .optional()
    .describe(
      'How the gateway itself reads the list of tools. Default: without credentials or, where the server wants some, as the first person who signed in',
    )

const oauth = () => ({
  type: z
    .literal('oauth')
    .describe('A person signs in: pegboard auth NAME, or the console; with `per`, each for themselves'),
  clientId: clientId().optional().describe('A client registered there by hand. Default: the gateway registers itself'),
  clientSecret: secret().optional(),
  clientMetadataUrl: url(['https'])
    .refine((value) => new URL(value).pathname !== '/', 'must have a path, as in https://host/client.json')
    .optional()
    .describe('An https address that describes this gateway, used as its id where the server takes such'),
  scopes: scopes(),
  issuer: issuer(),
  listAs: listAs(),
})

const perCaller = () => z.literal('caller')

const pastedKey = () =>
  z.strictObject({
    type: z.literal('key').describe('Each person pastes a key of their own, on their page `/me`'),
    per: perCaller().describe('Always `caller`: a key for all is a header'),
    header: header(),
    prefix: prefix(),
    help: url(['http', 'https']).optional().describe('Where people find their key'),
    listAs: listAs(),
  })

const exchange = () =>
  z
    .strictObject({
      type: z
        .literal('exchange')
        .describe("The identity provider trades the caller's sign-in for a token of this server (RFC 8693)"),
      issuer: url(['http', 'https']).describe('The identity provider, where the callers are signed in'),
      clientId: clientId().describe('Our id there'),
      clientSecret: secret(),
      audience: nonEmpty(2048).describe('Whom the token is for, as the identity provider names it'),
      grant: z
        .enum(['token-exchange', 'id-jag'])
        .default('token-exchange')
        .describe("`id-jag` asks for an assertion, which the server's own authorization server takes (RFC 7523)"),
      scopes: scopes(),
      server: z
        .strictObject({ issuer: url(['http', 'https']), clientId: clientId(), clientSecret: secret().optional() })
        .optional()
        .describe("For `id-jag`: the server's authorization server, and who we are there"),
      listAs: listAs(),
    })
    .refine(
      ({ grant, server }) => (grant === 'id-jag') === (server !== undefined),
      '"server" (issuer, clientId) is for "grant": "id-jag", which needs it: our secret at one issuer is not shown to another',
    )

/** How a remote MCP server is signed in at, where that is not by a fixed header. */
export const sourceAuth = z.lazy(() =>
  z.discriminatedUnion('type', [
    z
      .strictObject({
        ...oauth(),
        per: perCaller()
          .optional()
          .describe('`caller`: everybody signs in for themselves. Default: one sign-in for all'),
      })
      .refine(
        ({ per, listAs: lister }) => per !== undefined || lister === undefined,
        '"listAs" is for "per": "caller"',
      ),
    clientCredentials(),
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
    pastedKey(),
    exchange(),
  ]),
)

/** How calls of an OpenAPI source show who they are: by what is the operator's, or as each caller for themselves. */
export const openApiAuth = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('bearer'), token: nonEmpty(8192) }),
    z.strictObject({ type: z.literal('header'), name: nonEmpty(256), value: nonEmpty(8192) }),
    z.strictObject({ type: z.literal('query'), name: nonEmpty(256), value: nonEmpty(8192) }),
    z.strictObject({ ...oauth(), per: perCaller().describe('Always `caller` here') }),
    pastedKey(),
    exchange(),
  ]),
)
