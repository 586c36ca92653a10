import { advertisedName, safeNaming } from '../../catalog/names.js'
import type { JsonObject } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'

/** How much of a tool a list tells. */
export type Detail = 'summary' | 'full'

/** A tool in this face's own words: our identity beside MCP's definition. */
export const toToolRecord = (tool: Tool, detail: Detail): Readonly<Record<string, unknown>> => {
  const { id, namespace, source, tags, category, definition } = tool
  const { inputSchema, outputSchema, title, description, annotations } = definition
  return {
    id,
    name: advertisedName(tool, safeNaming),
    namespace,
    source,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    tags,
    ...(category === undefined ? {} : { category }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(detail === 'summary' ? {} : { inputSchema, ...(outputSchema === undefined ? {} : { outputSchema }) }),
  }
}

const text = { type: 'string' }

/** The same, for the OpenAPI document. */
export const toolRecordSchema: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'Canonical id, as in calc.add' },
    name: { type: 'string', description: 'A name that every model provider takes; calls accept it too' },
    namespace: text,
    source: text,
    title: text,
    description: text,
    tags: { type: 'array', items: text },
    category: text,
    annotations: { type: 'object' },
    inputSchema: { type: 'object', description: 'JSON Schema of the arguments' },
    outputSchema: { type: 'object' },
  },
  required: ['id', 'name', 'namespace', 'source', 'tags'],
}
