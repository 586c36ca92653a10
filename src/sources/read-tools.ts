import { GatewayError, isGatewayError, messageOf } from '../errors.js'
import { isRecord, type JsonObject } from '../model/json.js'
import type { ToolDefinition, ToolSpec } from '../model/tool.js'
import { refuseDeep } from '../schema/nesting.js'
import { parseToolDefinition } from '../schema/tool-definition.js'
import type { SourceUpdate, ToolProblem } from './source.js'

/** A list from a stranger: what can be read is reported, what cannot is named, and neither hides the other. */
export const readTools = (listed: readonly unknown[], where: string): SourceUpdate & { readonly type: 'all' } => {
  const tools: ToolSpec[] = []
  const problems: ToolProblem[] = []
  const schemas = new Map<string, JsonObject>()
  listed.forEach((each, index) => {
    try {
      refuseDeep(each, `${where} tool '${nameOf(each, index).slice(0, 80)}'`)
      tools.push({ definition: sharing(parseToolDefinition(each, `${where} tool ${index}`), schemas) })
    } catch (thrown) {
      problems.push({ tool: nameOf(each, index), error: toError(thrown) })
    }
  })
  return { type: 'all', tools, problems }
}

/** Servers make many tools that take the same: one schema is held for all of them, and compiled once. */
const sharing = (definition: ToolDefinition, schemas: Map<string, JsonObject>): ToolDefinition => {
  const text = JSON.stringify(definition.inputSchema)
  const known = schemas.get(text)
  if (!known) schemas.set(text, definition.inputSchema)
  return known ? { ...definition, inputSchema: known } : definition
}

const nameOf = (each: unknown, index: number): string =>
  isRecord(each) && typeof each.name === 'string' ? each.name : `#${index}`

const toError = (thrown: unknown): GatewayError =>
  isGatewayError(thrown) ? thrown : new GatewayError('TOOL_INVALID', messageOf(thrown), { cause: thrown })
