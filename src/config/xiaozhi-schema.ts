import { z } from 'zod'
import { milliseconds, nonEmpty, url } from './fields.js'
import { profileName } from './profile-schema.js'
import { variable } from './settings/kinds-of-value.js'

const resultSize = () => z.int().min(256).max(10_240)
const listSize = () => z.int().min(1024).max(1_000_000_000)

const endpoint = z.strictObject({
  url: url(['ws', 'wss']).meta({
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

/** What `xiaozhi.endpoints` may hold. */
export const endpoints = z.array(endpoint).max(100)
