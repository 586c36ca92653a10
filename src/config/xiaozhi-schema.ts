import { z } from 'zod'
import { milliseconds, nonEmpty, toolPatterns, url, variable } from './fields.js'
import { profileName } from './profile-schema.js'

/** 001-12, with the defaults of 001-24. */
const reconnect = z.strictObject({
  initialBackoff: z
    .int()
    .min(100)
    .max(10_000)
    .default(1000)
    .meta({ description: 'Milliseconds before the first new try' }),
  maxBackoff: z
    .int()
    .min(1000)
    .max(300_000)
    .default(60_000)
    .meta({ description: 'Milliseconds at most before any new try' }),
})

const resultSize = () => z.int().min(256).max(10_240)
const listSize = () => z.int().min(1024).max(1_000_000_000)
const link = () => url(['ws', 'wss'])

const endpoint = z.strictObject({
  url: link().meta({
    description: `Its address. It holds the token: better written as a \`\${VARIABLE}\``,
    examples: [variable('KITCHEN_ENDPOINT')],
  }),
  name: nonEmpty(64)
    .optional()
    .meta({ description: 'What `xiaozhi status`, the log and the console call it', examples: ['kitchen'] }),
  profile: profileName.default('default').meta({ description: 'Which tools this device sees', examples: ['kitchen'] }),
  maxResultSize: resultSize()
    .optional()
    .meta({
      description: 'Bytes of one answer; links are known to lose more than 1024. Default: `toolManager.maxResultSize`',
      examples: [1024],
    }),
  maxToolListSize: listSize()
    .optional()
    .meta({ description: 'Bytes of the tool list. Default: `toolManager.maxToolListSize`', examples: [10_240] }),
  language: z.enum(['auto', 'en', 'zh']).default('auto').meta({
    description:
      'Of errors, which are read aloud; `auto` is Chinese once somebody speaks Chinese there, and from the beginning at xiaozhi.me',
  }),
  callTimeoutMs: milliseconds(100)
    .optional()
    .meta({
      description: 'Time for one call. Default: 9000, since devices stop waiting at ten seconds',
      examples: [9000],
    }),
})

export const xiaozhi = z.strictObject({
  endpoints: z.array(endpoint).max(100).default([]).meta({ description: 'The devices to dial out to' }),
  reconnect: reconnect.prefault({}).meta({ description: 'How lost connections are dialled again' }),
})

/** What a file may write as `xiaozhi`: 001's one `endpoint`, or several. */
export const xiaozhiFileSchema = xiaozhi.extend({
  endpoint: link()
    .optional()
    .meta({
      description: 'The address of one device, as the xiaozhi MCP Agent format writes it; instead of `endpoints`',
      examples: [variable('MCP_ENDPOINT')],
    }),
})

/** 001-12, with the defaults of 001-24. Both lists bind every profile; an empty whitelist is no whitelist. */
export const toolManager = z.strictObject({
  maxToolListSize: listSize().default(10_240).meta({ description: 'Bytes of the tool list on a xiaozhi link' }),
  maxResultSize: resultSize().default(1024).meta({ description: 'Bytes of one answer on a xiaozhi link' }),
  namespaceEnabled: z
    .boolean()
    .default(true)
    .meta({ description: "Whether names begin with their source's namespace, where the profile does not say it" }),
  namespaceSeparator: z
    .string()
    .length(1)
    .regex(/^[^\p{L}\p{N}\p{C}\s*?"'`\\]$/u, 'must be one character that is no letter, digit, space, quote or wildcard')
    .default('.')
    .meta({ description: 'Between namespace and name in ids; one character' }),
  whitelist: toolPatterns()
    .default([])
    .meta({
      description: 'The only tools that any profile may show; an empty list is no limit',
      examples: [['calc.*']],
    }),
  blacklist: toolPatterns()
    .default([])
    .meta({ description: 'Tools that no profile shows', examples: [['*.drop_table']] }),
})
