import { advertisedName, safeNaming } from '../../gateway.js'
import type { JsonObject } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'
import { described } from '../../operations/shape.js'

/** How much of a tool a list tells. */
export type Detail = 'summary' | 'full'

/** A tool in this face's own words: our identity beside MCP's definition. */
export const toToolRecord = (tool: Tool, detail: Detail): Readonly<Record<string, unknown>> => {
  const { id, namespace, source, tags, category, definition } = tool
  const { inputSchema, outputSchema, title, description, annotations } = definition
  const whole = detail === 'full'
  return {
    id,
    name: advertisedName(tool, safeNaming),
    namespace,
    source,
    title,
    description,
    tags,
    category,
    annotations,
    inputSchema: whole ? inputSchema : undefined,
    outputSchema: whole ? outputSchema : undefined,
  }
}

const text = { type: 'string' }

/** The same, for the OpenAPI document. */
export const toolRecordSchema: JsonObject = {
  type: 'object',
  properties: {
    id: described(text, 'Canonical id, as in calc.add', '规范 id，如 calc.add'),
    name: described(
      text,
      'A name that every model provider takes; calls accept it too',
      '所有模型服务都接受的名称；调用时也可使用',
    ),
    namespace: text,
    source: text,
    title: text,
    description: text,
    tags: { type: 'array', items: text },
    category: text,
    annotations: { type: 'object' },
    inputSchema: described({ type: 'object' }, 'JSON Schema of the arguments', '参数的 JSON Schema'),
    outputSchema: { type: 'object' },
  },
  required: ['id', 'name', 'namespace', 'source', 'tags'],
}
