import { GatewayError } from '../errors.js'

/** The tool wants something of its caller, who came by a way on which nobody can be asked. */
export const needsInput = (method: string): GatewayError =>
  new GatewayError(
    'RESULT_INVALID',
    `${method} needs input from its caller, who cannot be asked this way. Call it from an MCP client that can.`,
  )

export const undeclared = (method: string): GatewayError =>
  new GatewayError(
    'RESULT_INVALID',
    `The source asks for ${method.slice(0, 64)}, which the caller did not declare; nobody was asked.`,
  )

export const tooManyRounds = (method: string, rounds: number): GatewayError =>
  new GatewayError('RESULT_INVALID', `The source still asked for more after ${rounds} rounds of ${method}.`, {
    details: { rounds },
  })
