import { z } from 'zod'
import { nonEmpty, text } from './fields.js'

const serverName = z
  .string()
  .max(200)
  .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/, 'must be namespace/name, as in com.example/docs')

/** One server of those that this gateway's own registry lists: a source of this name, or what `server` says. */
const published = z.strictObject({
  name: serverName.optional().meta({
    description: 'Its name in the registry. Default: `publish.namespace` and the name of the source',
    examples: ['com.example/docs'],
  }),
  version: nonEmpty(255)
    .optional()
    .meta({ description: 'Default: that of its package, else 1.0.0', examples: ['1.2.0'] }),
  title: nonEmpty(100)
    .optional()
    .meta({ description: 'For people', examples: ['Docs'] }),
  description: nonEmpty(100)
    .optional()
    .meta({ description: 'What it does. Default: the description of the source', examples: ['Searches our docs'] }),
  as: z
    .enum(['own', 'gateway', 'both'])
    .optional()
    .meta({
      description:
        'How others have it: as its `own` package or address, as this `gateway`, or `both`. Default: `own` where others can have it so, else `gateway`, which needs `server.publicUrl`',
      examples: ['gateway'],
    }),
  profile: nonEmpty(64)
    .optional()
    .meta({ description: 'Which profile of this gateway they get. Default: `default`', examples: ['work'] }),
  status: z
    .enum(['active', 'deprecated', 'deleted'])
    .optional()
    .meta({ description: 'Default: `active`', examples: ['deprecated'] }),
  statusMessage: text(500)
    .optional()
    .meta({ description: 'Why it is no longer active', examples: ['Use com.example/docs 2 instead'] }),
  server: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({
      description: 'A whole `server.json`, taken as it is; then no source of this name is needed',
      examples: [{ name: 'com.example/docs', description: 'Searches our docs', version: '1.2.0' }],
    }),
})

/** What `publish.servers` may hold, by the name of a source. */
export const publishedServers = z.record(nonEmpty(128), published)
