import { z } from 'zod'
import { milliseconds, nonEmpty, url } from './fields.js'

/** Where people are told of calls that wait for a yes. */
export const approvalWebhook = z.strictObject({
  url: url(['http', 'https']).meta({
    description: 'Where each request is posted, as JSON with a link to answer it by',
    examples: ['https://chat.example.com/hooks/approvals'],
  }),
  secret: nonEmpty(8192)
    .min(16)
    .meta({ description: 'Signs every message (HMAC-SHA-256, header `Pegboard-Signature`)' }),
  requireKey: z.boolean().default(false).meta({
    description:
      'Whoever opens the link shows besides who they are: a key with the right `approve`, or a sign-in at the console',
  }),
  timeoutMs: milliseconds(100)
    .max(60_000)
    .default(10_000)
    .meta({ description: 'How long the other end may take to answer' }),
})

export type ApprovalWebhook = z.output<typeof approvalWebhook>
