import type { Gateway } from '../../gateway.js'
import { type HeaderParam, headerParams } from '../../mcp/header-params.js'
import type { Implementation } from '../../mcp/meta.js'
import { RpcError, rpcCodes } from '../../mcp/rpc-error.js'
import type { Era } from '../../mcp/versions.js'
import type { Clock } from '../../model/clock.js'
import { type Changes, watchChanges } from './changes.js'
import { createHotSet } from './discovery/exposure.js'
import type { Client, Exchange, Reply } from './exchange.js'
import { discover, initialize } from './methods/hello.js'
import { listen } from './methods/listen.js'
import { callTool } from './methods/tools-call.js'
import { createViews, type View } from './view.js'

export interface McpFaceOptions {
  readonly gateway: Gateway
  readonly serverInfo: Implementation
  readonly instructions?: string | undefined
  readonly clock: Clock
}

/** The board in MCP's words. Carriers bring requests and take the answers away; both eras are served side by side. */
export interface McpFace {
  /** The result of a request. Throws RpcError for a refusal. */
  answer(exchange: Exchange): Reply | Promise<Reply>
  /** The arguments of a tool that a modern client must repeat in headers. */
  headerParamsOf(client: Client, tool: string): readonly HeaderParam[]
  view(client: Client): View
  readonly changes: Changes
  readonly serverInfo: Implementation
  /** Ends listening streams gracefully. */
  close(): void
}

type Method = (exchange: Exchange) => Reply | Promise<Reply>

export const createMcpFace = ({ gateway, serverInfo, instructions, clock }: McpFaceOptions): McpFace => {
  const hot = createHotSet(gateway, clock)
  const views = createViews(gateway, serverInfo, hot)
  const changes = watchChanges(gateway, clock, hot)
  const closing = new AbortController()
  const introduction = { serverInfo, instructions }
  // Header rules of a schema are worked out once, while its tool lives.
  const headerRules = new WeakMap<object, readonly HeaderParam[]>()

  const shared: Record<string, Method> = {
    'tools/list': (exchange) => views.of(exchange).listResult(exchange.sender.era, exchange.request.params?.cursor),
    'tools/call': (exchange) => callTool(gateway, views, serverInfo, exchange),
  }
  const methods: Readonly<Record<Era, ReadonlyMap<string, Method>>> = {
    legacy: new Map(
      Object.entries({
        ...shared,
        initialize: (exchange: Exchange) => initialize(introduction, exchange),
        ping: () => '{}',
      }),
    ),
    modern: new Map(
      Object.entries({
        ...shared,
        'server/discover': () => discover(introduction),
        'subscriptions/listen': (exchange: Exchange) => listen(changes, closing.signal, serverInfo, exchange),
      }),
    ),
  }

  return {
    answer: (exchange) => {
      const method = methods[exchange.sender.era].get(exchange.request.method)
      if (!method)
        throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${exchange.request.method.slice(0, 100)}`)
      return method(exchange)
    },
    headerParamsOf: (client, name) => {
      const schema = views.find(client, name)?.definition.inputSchema
      if (!schema) return []
      const known = headerRules.get(schema)
      if (known) return known
      const read = headerParams(schema)
      const params = read.ok ? read.params : []
      headerRules.set(schema, params)
      return params
    },
    view: views.of,
    changes,
    serverInfo,
    close: () => {
      closing.abort()
      changes.close()
      hot.close()
    },
  }
}
