import { isGatewayError } from '../../src/errors.js'

/** The code of what a task throws; what it throws where that is no error of ours; undefined where it throws nothing. */
export const codeOf = (task: () => unknown): unknown => {
  try {
    task()
  } catch (error) {
    return isGatewayError(error) ? error.code : error
  }
  return undefined
}
