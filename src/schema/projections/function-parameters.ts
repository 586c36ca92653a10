import { isRecord, type JsonObject } from '../../model/json.js'
import { type Inlined, type InlineOptions, inlineRefs } from '../inline.js'

/**
 * Parameters for function calling as document 004 hands them out (004-09): references inlined, the root an object,
 * a `body` that explains itself. `compat: true` is that document's converter to the letter.
 */
export const toFunctionParameters = (schema: JsonObject | null | undefined, options: InlineOptions = {}): Inlined => {
  const inlined = inlineRefs(schema, options)
  if (options.compat) return inlined
  const typed: JsonObject = inlined.schema.type === undefined ? { type: 'object', ...inlined.schema } : inlined.schema
  return { schema: withBody(typed), losses: inlined.losses }
}

const withBody = (schema: JsonObject): JsonObject => {
  const { properties } = schema
  if (!isRecord(properties) || !isRecord(properties.body) || properties.body.description) return schema
  const body = { ...properties.body, description: 'Request Body参数' }
  return { ...schema, properties: { ...properties, body } as JsonObject }
}
