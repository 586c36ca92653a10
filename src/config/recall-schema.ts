import { z } from 'zod'
import { headers, nonEmpty, url, variable } from './fields.js'

const recalledAction = z.strictObject({
  kn_id: nonEmpty(512).meta({ description: 'Knowledge network', examples: ['shop'] }),
  at_id: nonEmpty(512).meta({ description: 'Action type', examples: ['order.cancel'] }),
  // Loose and of any type: what a type cannot do is answered when it is asked for (004 compat 9), not here.
  action_source: z
    .looseObject({ type: nonEmpty(64) })
    .nullable()
    .default(null)
    .meta({
      description: 'Which tool it stands for',
      examples: [{ type: 'mcp', mcp_id: 'github', tool_name: 'create_issue' }],
    }),
  actions: z
    .array(z.looseObject({ parameters: z.record(z.string(), z.unknown()).default({}) }))
    .default([])
    .meta({
      description: 'Its instances, each with its parameters',
      examples: [[{ parameters: { repo: 'pegboard' } }]],
    }),
})

const service = (description: string, example: string) =>
  z.strictObject({
    url: url(['http', 'https']).meta({ description, examples: [example] }),
    headers: headers()
      .default({})
      .meta({
        description: 'Sent with every request, beside the account',
        examples: [{ Authorization: `Bearer ${variable('RECALL_TOKEN')}` }],
      }),
  })

/** Document 004. Without the addresses of its two services our own board and the actions below answer for them. */
export const recall = z.strictObject({
  actions: z
    .array(recalledAction)
    .max(100_000)
    .default([])
    .meta({ description: 'What can be recalled, where no knowledge service is named' }),
  knowledge: service('Its address', 'http://127.0.0.1:8081')
    .optional()
    .meta({ description: 'A real knowledge-network service, asked instead of `actions`' }),
  operators: service('Its address', 'http://127.0.0.1:8082')
    .optional()
    .meta({ description: 'A real operator-integration service, asked instead of this board' }),
  apiUrl: url(['http', 'https'])
    .optional()
    .meta({
      description: 'Under which agents reach us. Default: where we listen',
      examples: ['https://tools.example.com'],
    }),
  async: z.boolean().default(false).meta({ description: 'Answer with the newer asynchronous form' }),
  gatewayTimeout: z.boolean().default(false).meta({ description: '504 instead of 502 when time is up' }),
  schemas: z.enum(['complete', 'original']).default('complete').meta({
    description: 'How input schemas are converted: `original` leaves references where the original converter does',
  }),
  depth: z
    .int()
    .min(1)
    .max(64)
    .default(3)
    .meta({ description: 'References followed one inside the other; deeper ones keep type and description' }),
  unreadable: z.enum(['error', 'open']).default('error').meta({
    description: 'A schema that cannot be converted: `error` is a 500, `open` a tool that takes any arguments',
  }),
})
