import { z } from 'zod'
import { milliseconds } from './fields.js'

/** 001-12: both times in milliseconds, at least one second. */
export const healthCheck = z.strictObject({
  interval: milliseconds(1000).meta({ description: 'Milliseconds between two checks', examples: [30_000] }),
  timeout: milliseconds(1000).meta({ description: 'Milliseconds until a check counts as missed', examples: [5000] }),
})
