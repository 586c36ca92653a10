import { z } from 'zod'
import { headers, nonEmpty, text, url } from './fields.js'
import { variable } from './settings/kinds-of-value.js'

const address = () => url(['http', 'https'])

const named = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must be letters, digits, dots and dashes')
    .meta({ description: 'What commands and the console call it', examples: ['team'] }),
  url: address().meta({ description: 'Its address, without `/v0.1`', examples: ['https://registry.example.com'] }),
  headers: headers()
    .optional()
    .meta({
      description: 'Sent to it and to nobody else',
      examples: [{ Authorization: `Bearer ${variable('REGISTRY_TOKEN')}` }],
    }),
})

/** What `registries` may hold: addresses, or more said of them. */
export const registries = z.array(z.union([address(), named])).max(16)

/** The key of a source that came from a registry. */
export const registryOrigin = z
  .strictObject({
    url: address().meta({ description: 'The registry that was asked' }),
    name: nonEmpty(256).meta({ description: 'Its name there' }),
    version: nonEmpty(256).meta({ description: 'Its version there' }),
    package: nonEmpty(64).meta({ description: 'Which of its packages or addresses was taken' }),
    answers: z
      .record(text(512), z.union([text(65_536), z.array(text(65_536)).max(256)]))
      .optional()
      .meta({ description: 'What was answered to what it asks for, secrets by reference' }),
  })
  .optional()
  .meta({
    description: 'Where it came from, as `pegboard add` of a name of a registry notes it. See [Registry](registry.md)',
    examples: [
      { url: 'https://registry.example.com', name: 'io.github.someone/weather', version: '1.1.0', package: 'npm' },
    ],
  })
