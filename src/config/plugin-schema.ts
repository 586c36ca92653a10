import { z } from 'zod'
import { milliseconds, nonEmpty } from './fields.js'

const entry = z.strictObject({
  module: nonEmpty(4096).meta({ description: 'By path or package; it exports a plugin, or a function that makes one' }),
  options: z.record(z.string(), z.json()).default({}).meta({ description: 'Handed to that function' }),
  timeoutMs: milliseconds().max(60_000).default(50).meta({ description: 'How long each hook may take' }),
  onError: z.enum(['skip', 'refuse']).default('skip').meta({
    description:
      'What becomes of a call whose hook fails, or whose plugin cannot be loaded: it goes on without it, or is refused',
  }),
})

/** Code of the operator's own, in the order in which it is asked. A path alone is an entry without options. */
export const plugins = z.array(z.union([nonEmpty(4096).transform((module) => entry.parse({ module })), entry])).max(32)

export type PluginSettings = z.output<typeof entry>
