import { messageOf } from '../../errors.js'
import { toToolResult } from '../../model/answer.js'
import type { Outcome } from '../../model/outcome.js'
import { textResult } from '../../model/result.js'
import type { ToolDefinition } from '../../model/tool.js'
import { ErrorCode, toAgentError } from './agent-error.js'
import type { CallToolResult, Tool } from './protocol.js'

/** A tool that failed is a result that says so (001-15); a call that reached no tool is thrown. */
export const toCallResult = (outcome: Outcome): CallToolResult => {
  if (outcome.ok) return toToolResult(outcome.answer) as CallToolResult
  const { error } = outcome
  if (error.code === 'TOOL_FAILED')
    return textResult(messageOf(error.cause ?? error), { isError: true }) as CallToolResult
  throw toAgentError(error, ErrorCode.UNKNOWN_ERROR)
}

/** A definition under the name it is listed by. Document 001 has no tool without a description. */
export const toServiceTool = (definition: ToolDefinition, name: string): Tool => ({
  ...definition,
  name,
  description: definition.description ?? '',
})
