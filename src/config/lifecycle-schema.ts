import { z } from 'zod'
import { milliseconds } from './fields.js'
import { healthCheck } from './health-check.js'

/** What only a source with a connection has: a server that is started, watched and stopped. */
export const lifecycle = {
  startTimeoutMs: milliseconds()
    .optional()
    .meta({
      description:
        'Time until an MCP server has answered for the first time. Default: 30000; 120000 for commands that may download what they run first, such as npx and uvx',
      examples: [60_000],
    }),
  healthCheck: healthCheck.optional().meta({
    description: 'How an MCP server is watched. Default: every 30000, missed after 5000; two misses make it degraded',
  }),
  startOnDemand: z
    .boolean()
    .default(false)
    .meta({ description: 'Let an MCP server sleep until a tool is called; its known tools stay listed' }),
  idleStopMs: milliseconds(1000)
    .optional()
    .meta({ description: 'Stop an MCP server after this long without a call. Default: never', examples: [600_000] }),
  startTries: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .meta({
      description: 'So many starts in a row may fail until `afterStartTries` decides. Default: 3',
      examples: [5],
    }),
  afterStartTries: z
    .enum(['slow', 'park'])
    .optional()
    .meta({
      description:
        'What follows: `slow` tries on once a minute, since networks come back; `park` waits for `pegboard restart`. Default: `slow`',
      examples: ['park'],
    }),
}

/** Keys that say nothing about a source without a connection, though each source may have them. */
export const lifecycleKeys: readonly string[] = Object.keys(lifecycle)
