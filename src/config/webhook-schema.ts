import { z } from 'zod'
import { toldEventTypes } from '../model/told-event.js'
import { milliseconds, nonEmpty, url } from './fields.js'

/** Who is told of what happens on the board. */
export const webhooks = z
  .array(
    z.strictObject({
      url: url(['http', 'https']).meta({
        description: 'Where each message is posted, as JSON',
        examples: ['https://chat.example.com/hooks/pegboard'],
      }),
      secret: nonEmpty(8192)
        .min(16)
        .meta({ description: 'Signs every message (HMAC-SHA-256, header `Pegboard-Signature`)' }),
      events: z
        .array(z.enum(toldEventTypes))
        .min(1)
        .optional()
        .meta({ description: 'Which events are told there. Default: all of them' }),
      language: z.enum(['en', 'zh']).default('en').meta({ description: 'Of the sentence in the message' }),
      timeoutMs: milliseconds(100)
        .max(60_000)
        .default(10_000)
        .meta({ description: 'How long the other end may take to answer' }),
    }),
  )
  .max(20)

export type WebhookSettings = z.output<typeof webhooks>[number]
