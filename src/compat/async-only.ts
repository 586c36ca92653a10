import { GatewayError } from '../errors.js'

/** A function that cannot be called while the thread waits, and why. */
export const asyncOnly = (name: string, why: string): GatewayError =>
  new GatewayError(
    'TOOL_ASYNC_ONLY',
    `'${name || 'function'}' has no synchronous form: ${why}. Call it asynchronously instead.`,
  )
