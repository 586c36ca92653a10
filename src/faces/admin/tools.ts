import { advertisedName, safeNaming } from '../../catalog/names.js'
import { GatewayError } from '../../errors.js'
import type { Route } from '../../http/route.js'
import { toToolResult } from '../../model/answer.js'
import type { Clock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'
import { adminRoute, closed } from './admin-route.js'
import type { AdminBoard } from './board.js'
import type { CallLog } from './call-log.js'
import { tokensOf } from './tokens.js'

const bytesOf = (tool: Tool): number => Buffer.byteLength(JSON.stringify(tool.definition))

const sizes = new WeakMap<Tool, number>()
const sizeOf = (tool: Tool): number => {
  const known = sizes.get(tool)
  if (known !== undefined) return known
  const size = bytesOf(tool)
  sizes.set(tool, size)
  return size
}

const summaryChars = 160

/** Tools: the list, one of them, and a call by hand. */
export const toolRoutes = (board: AdminBoard, log: CallLog, clock: Clock): readonly Route[] => {
  const { gateway } = board
  const toRow = (tool: Tool, held: boolean) => ({
    id: tool.id,
    source: tool.source,
    title: tool.definition.title,
    summary: (tool.definition.description ?? '').slice(0, summaryChars),
    tokens: tokensOf(sizeOf(tool)),
    uses: gateway.catalog.usage.of(tool.id).count,
    temperature: gateway.catalog.usage.temperature(tool.id, clock.wall()),
    held,
  })
  const rows = () => [
    ...gateway.catalog
      .snapshot()
      .tools.filter((tool) => !tool.own)
      .map((tool) => toRow(tool, false)),
    ...gateway.catalog.held().map((tool) => toRow(tool, true)),
  ]
  const find = (id: string): { readonly tool: Tool; readonly held: boolean } => {
    const listed = gateway.catalog.snapshot().get(id)
    if (listed) return { tool: listed, held: false }
    const held = gateway.catalog.held().find((tool) => tool.id === id)
    if (held) return { tool: held, held: true }
    throw new GatewayError('TOOL_NOT_FOUND', `There is no tool '${id.slice(0, 200)}' here any more; search for it.`)
  }

  return [
    adminRoute({
      method: 'GET',
      path: '/tools',
      right: 'admin',
      run: () => ({ version: gateway.catalog.version, tools: rows() }),
    }),
    adminRoute({
      method: 'GET',
      path: '/tools/:id',
      right: 'admin',
      run: ({ params }) => {
        const { tool, held } = find(params.id!)
        const { definition, tags, category, namespace, timeoutMs } = tool
        return {
          ...toRow(tool, held),
          namespace,
          tags,
          category,
          timeoutMs,
          lastUsed: gateway.catalog.usage.of(tool.id).lastUsed,
          definition,
          advertised: { ...definition, name: advertisedName(tool, safeNaming) },
          history: log.recent({ tool: tool.id, limit: 50 }),
        }
      },
    }),
    adminRoute<{ readonly args: JsonObject }>({
      method: 'POST',
      path: '/tools/:id/call',
      right: 'admin',
      body: closed({ args: { type: 'object' } }, ['args']),
      run: async ({ params, body, exchange }) => {
        const { caller, signal } = exchange
        const outcome = await gateway.call({ tool: params.id!, args: body.args, caller, signal })
        const { latencyMs, attempts } = outcome.meta
        // A refused call is an answer here: the page shows its code beside its time.
        if (!outcome.ok)
          return { ok: false, error: { code: outcome.error.code, message: outcome.error.message }, latencyMs, attempts }
        return { ok: true, result: toToolResult(outcome.answer), latencyMs, attempts }
      },
    }),
  ]
}
