import { GatewayError } from '../../errors.js'
import type { ValidationMode } from '../../model/call.js'
import { kindOf } from '../../model/json.js'
import { formatProblems, type Problem, type Schemas, type Validation } from '../../schema/schemas.js'
import type { Logger } from '../../telemetry/logger.js'
import type { Passage, Step } from '../passage.js'

export interface ValidateRooms {
  readonly schemas: Schemas
  /** Where the call names no other. */
  readonly validation: ValidationMode
  readonly logger: Logger
}

/** Do the arguments match the tool's input schema? Defaults are merged in; the caller's object is never touched. */
export const validate = ({ schemas, validation, logger }: ValidateRooms): Step => ({
  enter: (passage) => {
    const mode = passage.call.validation ?? validation
    // What other kinds carry is the source's to judge: nothing says here what it should look like.
    if (mode === 'off' || passage.kind !== 'tool') return
    try {
      const found = check(schemas, passage)
      if (found.ok || !found.outOfTime || passage.sync) return take(passage, found)
      // It deserves more time than it may take from everybody else.
      const { tool, args, call } = passage
      const longer = schemas.checkApart(tool.definition.inputSchema, args, call.caller.id)
      return longer.then((later) => take(passage, later)).catch((error) => refuse(error, mode, passage, logger))
    } catch (error) {
      refuse(error, mode, passage, logger)
    }
  },
})

const refuse = (error: unknown, mode: ValidationMode, { tool }: Passage, logger: Logger): void => {
  if (mode === 'strict') throw error
  logger.log('warn', (error as Error).message, { tool: tool.id })
}

const check = (schemas: Schemas, { args, tool, sync }: Passage): Validation => {
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    throw invalid(tool.id, [{ path: '', keyword: 'type', message: `must be an object, got ${kindOf(args)}` }])
  const validator = schemas.validator(tool.definition.inputSchema)
  return sync ? validator.check(args) : validator.glance(args)
}

const take = (passage: Passage, found: Validation): void => {
  if (!found.ok) throw invalid(passage.tool.id, found.problems)
  passage.args = found.value
}

const invalid = (tool: string, problems: readonly Problem[]): GatewayError =>
  new GatewayError('ARGUMENTS_INVALID', `Invalid arguments for '${tool}': ${formatProblems(problems)}.`, {
    details: { tool, problems },
    notSent: true,
  })
