import { z } from 'zod'
import { roles } from '../model/role.js'
import { nonEmpty, url } from './fields.js'
import { profileName } from './profile-schema.js'
import { variable } from './settings/kinds-of-value.js'

// Made where a configuration says something of it: most gateways have nobody who signs in.

const issuerUrl = () => url(['http', 'https'])
/** A claim by its path: `groups`, or `realm_access.roles`. */
const claim = () => nonEmpty(256)
const secret = () => nonEmpty(8192)
const clientId = () => nonEmpty(2048)
const scope = () => nonEmpty(256).regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'is not a legal scope; use one word')

const promptWords = 'must be consent, login or select_account, or several of these with a space between them'

const claims = () =>
  z.strictObject({
    name: claim().default('preferred_username').meta({ description: 'What people are called here' }),
    groups: claim()
      .default('groups')
      .meta({ description: 'Where their groups stand', examples: ['realm_access.roles'] }),
  })

/** People sign in: at the identity provider of the team or, without one, with a key. */
export const people = z.lazy(() =>
  z.strictObject({
    issuer: issuerUrl()
      .optional()
      .meta({
        description: 'The identity provider. Left out: the sign-in page takes a Pegboard key',
        examples: ['https://login.example.com/realms/team'],
      }),
    clientId: clientId()
      .optional()
      .meta({ description: 'Our id there', examples: ['pegboard'] }),
    clientSecret: secret()
      .optional()
      .meta({ description: 'Our secret there', examples: [variable('IDP_SECRET')] }),
    scopes: z
      .array(scope())
      .max(64)
      .default(['openid', 'profile', 'email'])
      .meta({ description: 'What is asked for there; `openid` must be among them' }),
    prompt: z
      .string()
      .regex(/^(?:consent|login|select_account)(?: (?:consent|login|select_account)){0,2}$/, promptWords)
      .optional()
      .meta({
        description:
          'What the provider should ask people at each sign-in: `consent`, `login`, `select_account`. Google gives something to ask again with only by `consent`. Default: as the provider likes',
        examples: ['consent'],
      }),
    claims: claims().prefault({}).meta({ description: 'Which claims say what' }),
    clients: z
      .strictObject({
        documents: z
          .array(nonEmpty(256))
          .max(256)
          .default(['*'])
          .meta({
            description: 'Hosts whose client documents (CIMD) are taken; `*` is any',
            examples: [['claude.ai']],
          }),
        register: z.boolean().default(true).meta({ description: 'Whether clients may register themselves (DCR)' }),
      })
      .prefault({})
      .meta({ description: 'Which MCP clients may ask to be let in' }),
    session: z
      .strictObject({
        accessMinutes: z
          .int()
          .min(1)
          .max(1440)
          .default(60)
          .meta({ description: 'How long an access token is good for' }),
        days: z.int().min(1).max(365).default(30).meta({ description: 'How long a sign-in lasts at most' }),
        recheckMinutes: z
          .int()
          .min(1)
          .max(1440)
          .default(15)
          .meta({ description: 'How often the identity provider is asked whether they are still who they were' }),
      })
      .prefault({})
      .meta({ description: 'How long people stay signed in' }),
  }),
)

const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const

/** Tokens of others that are taken as they are. */
export const tokens = z.lazy(() =>
  z
    .array(
      z.strictObject({
        issuer: issuerUrl().meta({ description: 'Who issues them', examples: ['https://auth.example.com'] }),
        algorithms: z
          .array(z.enum(algorithms))
          .min(1)
          .default(['RS256', 'ES256'])
          .meta({ description: 'How they may be signed' }),
        audience: nonEmpty(2048)
          .optional()
          .meta({
            description:
              'Whom they must be for, where the issuer cannot name our endpoint. Default: the address of the endpoint',
            examples: ['api://pegboard'],
          }),
        clockSkewSeconds: z.int().min(0).max(60).default(30).meta({ description: 'By how much its clock may differ' }),
        claims: claims().prefault({}).meta({ description: 'Which claims say what' }),
        subjects: z.enum(['people', 'machines']).optional().meta({
          description:
            'Whom its tokens stand for, where they do not say it: `machines` for a build service. Default: as each token says',
        }),
        introspect: z
          .strictObject({
            clientId: clientId().meta({ description: 'Our id there' }),
            clientSecret: secret().meta({ description: 'Our secret there', examples: [variable('INTROSPECT_SECRET')] }),
            cacheSeconds: z.int().min(1).max(3600).default(30).meta({ description: 'How long an answer counts' }),
          })
          .optional()
          .meta({ description: 'Ask the issuer whether a token is still good' }),
      }),
    )
    .max(16),
)

const count = () => z.int().min(1).max(1_000_000_000)

/** Who gets what; the first row that fits counts. */
export const grants = z.lazy(() =>
  z
    .array(
      z
        .strictObject({
          groups: z
            .array(nonEmpty(512))
            .min(1)
            .max(256)
            .optional()
            .meta({ description: 'Whoever is in one of these groups' }),
          clients: z
            .array(nonEmpty(2048))
            .min(1)
            .max(256)
            .optional()
            .meta({ description: 'These machines, by client id' }),
          people: z
            .array(nonEmpty(512))
            .min(1)
            .max(1024)
            .optional()
            .meta({ description: 'These people, by verified address' }),
          everyone: z.literal(true).optional().meta({ description: 'Whoever is signed in' }),
          role: z.enum(roles).meta({ description: 'What they may do; see [Roles](roles.md)' }),
          profiles: z
            .array(z.union([profileName, z.literal('*')]))
            .min(1)
            .max(64)
            .default(['default'])
            .meta({ description: 'What they see: the first at `/mcp`, the others at `/mcp/NAME`; `*` is any' }),
          limits: z
            .strictObject({
              callsPerMinute: count().optional().meta({ description: 'Calls in a minute, over all their clients' }),
              concurrency: count().optional().meta({ description: 'Calls at once, over all their clients' }),
            })
            .optional()
            .meta({ description: 'What each of them may use up, instead of what the profile says' }),
        })
        .refine(
          ({ groups, clients, people: named, everyone }) =>
            [groups, clients, named, everyone].some((each) => each !== undefined),
          'must say whom it is for: groups, clients, people or everyone',
        ),
    )
    .max(1024),
)

/** Where the key of the vault comes from. */
export const vaultKey = z.lazy(() =>
  z.union([
    z.strictObject({ env: nonEmpty(256).meta({ description: 'A variable that holds it' }) }),
    z.strictObject({ file: nonEmpty(4096).meta({ description: 'A file that holds it' }) }),
    z.strictObject({
      command: z
        .array(nonEmpty(4096))
        .min(1)
        .max(64)
        .meta({ description: 'A program that writes it to standard output' }),
    }),
  ]),
)
