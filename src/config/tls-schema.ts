import { z } from 'zod'
import { heldRoles } from '../model/role.js'
import { nonEmpty } from './fields.js'
import { profileName } from './profile-schema.js'

const holder = z
  .strictObject({
    fingerprint: z
      .string()
      .regex(/^(?:[0-9A-Fa-f]{2}:?){31}[0-9A-Fa-f]{2}$/, 'must be the SHA-256 of a certificate, 64 hexadecimal digits')
      .optional()
      .meta({ description: 'SHA-256 of the certificate, with or without colons' }),
    san: nonEmpty(1024)
      .regex(/^(?:DNS|URI|email|IP Address):./, 'must begin with DNS:, URI:, email: or IP Address:')
      .optional()
      .meta({ description: 'One of its alternative names', examples: ['DNS:build.example.com'] }),
    cn: nonEmpty(256)
      .optional()
      .meta({ description: 'The common name of its subject', examples: ['build'] }),
    any: z.literal(true).optional().meta({ description: 'Whatever `ca` vouches for and no other entry names' }),
    role: z
      .enum(heldRoles)
      .optional()
      .meta({ description: 'What its holder may do; see [Roles](roles.md). Default: `caller`' }),
    permission: z
      .enum(['read', 'write', 'admin'])
      .optional()
      .meta({ description: 'The same in older words: `read` is `caller`, `write` is `publisher`' }),
    profile: profileName.optional().meta({ description: 'The only profile it sees', examples: ['ci'] }),
  })
  .refine(
    ({ fingerprint, san, cn, any }) => [fingerprint, san, cn, any].filter((each) => each !== undefined).length === 1,
    'must have exactly one of fingerprint, san, cn and any',
  )
  .refine(
    ({ role, permission }) => role === undefined || permission === undefined,
    'must not have both role and permission: they say the same',
  )

/** What `server.tls.callers` may hold. */
export const certificateHolders = z.record(
  z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be a name of letters, digits and . _ -'),
  holder,
)
