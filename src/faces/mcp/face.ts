import { type Gateway, waitingRoomOf } from '../../gateway.js'
import type { Era } from '../../mcp/eras.js'
import { type HeaderParam, headerParams } from '../../mcp/headers.js'
import type { Implementation } from '../../mcp/message.js'
import type { Found } from '../../model/call.js'
import type { Clock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import type { ToolResult } from '../../model/result.js'
import type { Shares } from '../../model/shares.js'
import type { Tool } from '../../model/tool.js'
import type { ApprovalDoor } from './asking/approval-question.js'
import type { TaskOwner } from './asking/approval-tasks.js'
import { createElsewhere } from './asking/elsewhere.js'
import type { SignInDoor } from './asking/sign-in-question.js'
import { createTalks } from './asking/talk.js'
import { type Changes, watchChanges } from './changes.js'
import type { Client, ClientSession, EncodedResult, Exchange } from './exchange.js'
import { createHotSet, type HotSet } from './exposure.js'
import { complete } from './methods/completion.js'
import { forward } from './methods/forward.js'
import { discover, helloTo, initialize, ping } from './methods/hello.js'
import { listen } from './methods/listen.js'
import { setLevel } from './methods/logging.js'
import { getPrompt, listPrompts } from './methods/prompts.js'
import { followAgain, listResources, listTemplates, readResource, subscribe, unsubscribe } from './methods/resources.js'
import { askForTask, OwnTasks, taskMethods } from './methods/tasks.js'
import { callDirectly, callTool, createToolLookup, type DirectCall } from './methods/tools-call.js'
import { createShapes } from './shapes.js'
import { createErrands } from './surface/errands.js'
import { createFollowing } from './surface/following.js'
import type { ReviewInstructions } from './surface/introduce.js'
import { createTaskIds } from './surface/task-ids.js'
import { createViews, type View } from './view.js'

export interface McpFaceOptions {
  readonly gateway: Gateway
  readonly serverInfo: Implementation
  readonly instructions?: string | undefined
  /** The gateways that a call to us may reach; see `LoopGuard`. */
  readonly reach?: (() => readonly string[]) | undefined
  /** What a source may say to clients, of what it says. Default: all of it. */
  readonly reviewInstructions?: ReviewInstructions | undefined
  readonly clock: Clock
  /** What lists wait for while sources start of which nothing is known; undefined when nothing is awaited. */
  readonly firstList?: (() => Promise<unknown> | undefined) | undefined
  /** Which tools are used often, where several agree on it; closed with the face. Default: by what is counted here. */
  readonly hot?: HotSet | undefined
  /** Where callers sign in for themselves at sources that want that. Default: nowhere. */
  readonly signInDoor?: SignInDoor | undefined
  /** Where calls are asked about that a rule wants a yes to. Default: such calls are refused at once. */
  readonly approvalDoor?: ApprovalDoor | undefined
}

/** The board in MCP's words. Carriers bring requests and take the answers away; both eras are served side by side. */
export interface McpFace {
  /** The result of a request, encoded. Throws RpcError for a refusal. */
  answer(exchange: Exchange): EncodedResult | Promise<EncodedResult>
  /** The typed door under the encoder, for carriers whose links have a form of their own. The same list while nothing changed. */
  listTools(client: Client): readonly JsonObject[] | Promise<readonly JsonObject[]>
  /** Throws RpcError for a refusal; a failure that the model should read is a result. */
  callTool(client: Client, call: DirectCall): Promise<ToolResult>
  /** The legacy handshake, for whoever asks for this version. */
  introduce(client: Client, version: unknown): JsonObject
  /** The arguments of a tool that a modern client must repeat in headers. */
  headerParamsOf(found: Found): readonly HeaderParam[]
  /** The tool that a client means by a name. */
  resolve(client: Client, tool: string): Found
  view(client: Client): View
  /** Goes on following these resources for a session that followed them at another place or time. */
  followAgain(client: Client, session: ClientSession, uris: readonly string[]): Promise<void>
  /** What such a client would see if these were the tools it may see: for rules that are not in force. */
  preview(client: Client, tools: readonly Tool[]): View
  readonly changes: Changes
  /** An operator changed what is on the board, so lists may take another shape; see `Shapes`. */
  readonly reshape: () => void
  readonly serverInfo: Implementation
  /** How much each caller holds; carriers count in it. */
  readonly shares: Shares
  /** Ends what waits of callers who may no longer come. */
  dismiss(fits: (owner: TaskOwner) => boolean): void
  /** Ends listening streams gracefully. */
  close(): void
}

type Method = (exchange: Exchange) => EncodedResult | Promise<EncodedResult>

export const createMcpFace = (options: McpFaceOptions): McpFace => {
  const { gateway, serverInfo, instructions, reviewInstructions, reach, clock } = options
  const hot = options.hot ?? createHotSet(gateway, clock)
  const viewOf = createViews({ gateway, serverInfo, clock, hot })
  const resolve = createToolLookup(gateway, viewOf)
  const changes = watchChanges(gateway, clock, hot)
  const shapes = createShapes(clock)
  const closing = new AbortController()
  const introduction = { serverInfo, instructions, reviewInstructions, reach }
  const elsewhere = createElsewhere(gateway)
  const talks = createTalks(waitingRoomOf(gateway), elsewhere)
  const following = createFollowing(gateway)
  const errands = createErrands({ gateway, talks, serverInfo, clock, signInDoor: options.signInDoor })
  const { signInDoor, approvalDoor } = options
  const room = waitingRoomOf(gateway)
  const tasks = new OwnTasks({ gateway, clock, ids: createTaskIds(room), door: approvalDoor })
  const calls = { gateway, resolve, talks, tasks, serverInfo, signInDoor, approvalDoor }
  const listening = { changes, following, tasks, errands, shares: gateway.shares, closing: closing.signal }
  // Header rules of a schema are worked out once, while its tool lives.
  const headerRules = new WeakMap<object, readonly HeaderParam[]>()

  const listTools: Method = (exchange) => {
    const view = viewOf(exchange)
    return view.listResult(exchange.sender.era, exchange.request.params?.cursor, shapes.of(exchange, view.exposure))
  }
  /** Many clients list once: what is about to come is worth waiting for. No promise where nothing is awaited. */
  const whole =
    (list: Method): Method =>
    (exchange) => {
      const awaited = options.firstList?.()
      return awaited ? awaited.then(() => list(exchange)) : list(exchange)
    }

  const shared: Record<string, Method> = {
    'tools/list': whole(listTools),
    'tools/call': (exchange) => callTool(calls, exchange),
    'prompts/list': whole((exchange) => listPrompts(errands, exchange)),
    'prompts/get': (exchange) => getPrompt(errands, exchange),
    'resources/list': whole((exchange) => listResources(errands, exchange)),
    'resources/templates/list': whole((exchange) => listTemplates(errands, exchange)),
    'resources/read': (exchange) => readResource(errands, exchange),
    'completion/complete': whole((exchange) => complete(errands, exchange)),
  }
  const methods: Readonly<Record<Era, ReadonlyMap<string, Method>>> = {
    legacy: new Map(
      Object.entries({
        ...shared,
        initialize: (exchange: Exchange) => initialize(introduction, errands.offersOf(exchange), exchange),
        ping: (exchange: Exchange) => ping(introduction, exchange),
        'logging/setLevel': setLevel,
        'resources/subscribe': (exchange: Exchange) => subscribe(errands, following, exchange),
        'resources/unsubscribe': unsubscribe,
      }),
    ),
    modern: new Map(
      Object.entries({
        ...shared,
        'server/discover': (exchange: Exchange) =>
          discover(introduction, errands.offersOf(exchange), tasks.areThere(exchange.caller)),
        'subscriptions/listen': (exchange: Exchange) => listen(listening, exchange),
        ...Object.fromEntries(
          taskMethods.map((method) => [method, (exchange: Exchange) => askForTask(errands, tasks, exchange)]),
        ),
      }),
    ),
  }

  return {
    listTools: (client) => {
      const awaited = options.firstList?.()
      return awaited ? awaited.then(() => viewOf(client).definitions) : viewOf(client).definitions
    },
    callTool: (client, call) => callDirectly(calls, client, call),
    introduce: (client, version) => helloTo(introduction, errands.offersOf(client), version),
    answer: (exchange) => {
      const method = methods[exchange.sender.era].get(exchange.request.method)
      return method ? method(exchange) : forward(errands, exchange)
    },
    resolve,
    headerParamsOf: ({ tool }) => {
      const schema = tool?.definition.inputSchema
      if (!schema) return []
      const known = headerRules.get(schema)
      if (known) return known
      const read = headerParams(schema)
      const params = read.ok ? read.params : []
      headerRules.set(schema, params)
      return params
    },
    view: viewOf,
    followAgain: (client, session, uris) => followAgain(errands, following, client, session, uris),
    // Looked at once, so nothing waits to let its lists go.
    preview: (client, tools) =>
      createViews({ gateway: { ...gateway, list: () => tools }, serverInfo, clock, hot, onList: () => {} })(client),
    changes,
    reshape: () => {
      shapes.renew()
      changes.ring()
    },
    serverInfo,
    shares: gateway.shares,
    dismiss: (fits) => {
      room.dismiss(fits)
      tasks.dismiss(fits)
    },
    close: () => {
      closing.abort()
      talks.close()
      tasks.close()
      elsewhere.close()
      following.close()
      changes.close()
      hot.close()
    },
  }
}
