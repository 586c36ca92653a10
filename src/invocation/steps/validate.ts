import { GatewayError } from '../../errors.js'
import type { ValidationMode } from '../../model/call.js'
import { kindOf } from '../../model/json.js'
import { formatProblems, type Problem, type Schemas } from '../../schema/schemas.js'
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
      passage.args = checked(schemas, passage)
    } catch (error) {
      if (mode === 'strict') throw error
      logger.log('warn', (error as Error).message, { tool: passage.tool.id })
    }
  },
})

const checked = (schemas: Schemas, { args, tool }: Passage): unknown => {
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    throw invalid(tool.id, [{ path: '', keyword: 'type', message: `must be an object, got ${kindOf(args)}` }])
  const validation = schemas.validator(tool.definition.inputSchema).check(args)
  if (!validation.ok) throw invalid(tool.id, validation.problems)
  return validation.value
}

const invalid = (tool: string, problems: readonly Problem[]): GatewayError =>
  new GatewayError('ARGUMENTS_INVALID', `Invalid arguments for '${tool}': ${formatProblems(problems)}.`, {
    details: { tool, problems },
    notSent: true,
  })
