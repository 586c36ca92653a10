import { z } from 'zod'
import { nonEmpty } from './fields.js'

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

/** What `recall.actions` may hold (document 004). */
export const actions = z.array(recalledAction).max(100_000)
