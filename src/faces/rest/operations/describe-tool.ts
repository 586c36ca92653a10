import { GatewayError } from '../../../errors.js'
import type { Gateway } from '../../../gateway.js'
import type { Clock } from '../../../model/clock.js'
import { upstreamOf } from '../../../model/tool.js'
import { type Operation, operation } from '../../../operations/operation.js'
import { closed, words } from '../../../operations/shape.js'
import { projectTools } from '../project.js'
import { formatField, lossesSchema, profileField, toolIdParam } from '../schemas.js'
import { toolRecordSchema, toToolRecord } from '../tool-record.js'

/** `GET /api/v1/tools/{id}`: one tool, whole. */
export const describeTool = (gateway: Gateway, clock: Clock): Operation =>
  operation({
    id: 'describeTool',
    method: 'GET',
    path: '/api/v1/tools/:id',
    right: 'discover',
    tag: 'tools',
    summary: words('Describe one tool', '查看一个工具'),
    params: { id: toolIdParam },
    query: closed({ format: formatField, profile: profileField }),
    answers: {
      200: {
        description: words(
          'The tool, and how much it is used; with a format, `tool` in its words and `losses`',
          '该工具及其使用情况；指定 format 时为该格式的 `tool` 以及 `losses`',
        ),
        schema: { anyOf: [toolRecordSchema, { type: 'object', properties: { tool: {}, losses: lossesSchema } }] },
      },
    },
    run: async ({ caller, params, query }) => {
      const find = () => gateway.find(params.id!, caller)
      const tool = find() ?? (await gateway.catalog.lookAround()?.then(find))
      if (!tool) throw notFound(params.id!)
      if (query.format !== undefined) {
        const { tools, losses } = projectTools([tool], query.format)
        return { json: { id: tool.id, format: query.format, tool: tools[0] ?? null, losses } }
      }
      const { count, lastUsed } = gateway.catalog.usage.of(upstreamOf(tool).id)
      const temperature = gateway.catalog.usage.temperature(upstreamOf(tool).id, clock.wall())
      return { json: { ...toToolRecord(tool, 'full'), usage: { count, lastUsed, temperature } } }
    },
  })

/** In the words of the call path: hidden and absent answer alike. */
export const notFound = (name: string): GatewayError => {
  const shown = name.length > 120 ? `${name.slice(0, 120)}…` : name
  return new GatewayError('TOOL_NOT_FOUND', `Tool not found: ${shown}. List or search the tools to see their names.`, {
    details: { tool: shown },
    notSent: true,
  })
}
