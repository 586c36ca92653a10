import { GatewayError } from '../errors.js'

/** A caller on the stack cannot wait for another process. */
export const remoteOnly = (tool: string): GatewayError =>
  new GatewayError('TOOL_ASYNC_ONLY', `'${tool}' is remote: use the asynchronous call, which returns a promise.`)
