import { z } from 'zod'
import { milliseconds } from './fields.js'

const retry = z.strictObject({
  attempts: z.int().min(1).max(10).default(1).meta({
    description:
      'How often a call is tried in all. Tried again is only what surely never ran, or a tool marked as idempotent',
  }),
  backoffMs: milliseconds()
    .default(100)
    .meta({ description: 'Before the second try; twice as long before each further one' }),
  maxBackoffMs: milliseconds().default(5000).meta({ description: 'The longest of these waits' }),
})

const breaker = z.strictObject({
  failures: z.int().min(0).max(1000).default(5).meta({
    description: 'Failures in a row after which a tool, or its source, is left alone; 0 never does',
  }),
  openMs: milliseconds().default(30_000).meta({
    description: 'The longest that it is: one call may try after 1 s, then after 2, 4 … up to this',
  }),
})

const rate = z.strictObject({
  calls: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(0)
    .meta({ description: 'Calls of one caller in the window; 0 is no limit' }),
  perMs: milliseconds().default(60_000).meta({ description: 'The window' }),
})

const count = (least: number) => z.int().min(least).max(1_000_000)

/** How calls are carried. */
export const calls = z.strictObject({
  timeoutMs: milliseconds()
    .default(30_000)
    .meta({ description: 'Time for one call of a tool whose source names none' }),
  retry: retry.prefault({}).meta({ description: 'Trying again' }),
  breaker: breaker.prefault({}).meta({ description: 'Leaving alone what fails' }),
  concurrency: count(1).default(1024).meta({ description: 'Calls running at once, over all tools' }),
  concurrencyPerTool: count(1).default(256).meta({ description: 'Calls of one tool running at once' }),
  queue: count(0).default(1024).meta({
    description: 'Calls waiting for a place, over all tools and again per tool; more are refused as OVERLOADED',
  }),
  queueWaitMs: milliseconds().default(30_000).meta({
    description: 'How long a call waits for a place, which does not count against its own time',
  }),
  rate: rate.prefault({}).meta({ description: 'How often one caller may call; profiles have limits of their own' }),
  maxDepth: z.int().min(1).max(64).default(16).meta({ description: 'How deep tools may call tools' }),
})
