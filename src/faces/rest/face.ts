import type { Others } from '../../fleet/others.js'
import type { Gateway } from '../../gateway.js'
import type { Route } from '../../http/route.js'
import type { Caller } from '../../model/caller.js'
import { type Clock, systemClock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import type { CallDesk } from '../../operations/call-approvals.js'
import { documentOperation, openApiDocument } from '../../operations/openapi.js'
import type { Operation } from '../../operations/operation.js'
import { words } from '../../operations/shape.js'
import { toRoute } from '../../operations/to-route.js'
import type { AuditLog } from '../../telemetry/audit-file.js'
import { CallHistory } from '../../telemetry/call-history.js'
import { createEventFeed } from './event-feed.js'
import { createFleetEvents, type RestFeeds } from './fleet-events.js'
import { approvalsOfCalls } from './operations/approvals.js'
import { callBatch } from './operations/call-batch.js'
import { callTool } from './operations/call-tool.js'
import { describeTool } from './operations/describe-tool.js'
import { readAudit, readMetrics, recentCalls } from './operations/history.js'
import { listSources } from './operations/list-sources.js'
import { listTools } from './operations/list-tools.js'
import { readResult } from './operations/results.js'
import { type LookAtScript, scriptOperations } from './operations/scripts.js'
import { searchTools } from './operations/search-tools.js'
import { toolCalls } from './operations/tool-calls.js'
import { watchEvents } from './operations/watch-events.js'
import { type FindRestProfile, withProfile } from './profile.js'

export interface RestFaceOptions {
  readonly gateway: Gateway
  /** Default: only the default profile, without limits. */
  readonly findProfile?: FindRestProfile | undefined
  /** Shown in the OpenAPI document. */
  readonly version?: string | undefined
  /** What else this port answers, for the OpenAPI document. */
  readonly beside?: readonly Operation[] | undefined
  /** Served at `/metrics`. Default: not served. */
  readonly metrics?: Parameters<typeof readMetrics>[0] | undefined
  /** Readable by admins. Default: none. */
  readonly audit?: AuditLog | undefined
  /** Who is asked about single calls. Default: nobody can be seen being asked. */
  readonly callDesk?: CallDesk | undefined
  /** The last calls, where somebody keeps them already. Default: a history of its own. */
  readonly history?: CallHistory | undefined
  /** What the list of tools waits for while sources start of which nothing is known. */
  readonly firstList?: (() => Promise<unknown> | undefined) | undefined
  /** What waits of scripts. Default: there are none. */
  readonly lookAtScript?: LookAtScript | undefined
  readonly clock?: Clock | undefined
  /** The other replicas of a fleet, whose calls are told with ours. Default: there are none. */
  readonly others?: Others | undefined
  /** What they tell while somebody listens. */
  readonly feeds?: RestFeeds | undefined
}

/** The board for any program that can POST JSON. */
export interface RestFace {
  readonly routes: readonly Route[]
  readonly operations: readonly Operation[]
  readonly document: JsonObject
  /** Stops listening to the gateway. */
  close(): void
}

export const createRestFace = (options: RestFaceOptions): RestFace => {
  const { gateway, clock = systemClock, version = '0.0.0' } = options
  const findProfile = options.findProfile ?? ((name) => (name === 'default' ? {} : undefined))
  const history = options.history ?? new CallHistory()
  const stopHistory = options.history ? undefined : gateway.onCall(history.listener)
  const feed = createEventFeed(gateway, clock, { history })
  const { others, feeds } = options
  const fleet = others && feeds ? createFleetEvents(gateway, clock, others.replica, feeds) : undefined
  const told: Operation[] = [
    listTools(gateway, options.firstList),
    describeTool(gateway, clock),
    callTool(gateway, findProfile, clock),
    callBatch(gateway, findProfile),
    readResult(gateway, findProfile),
    toolCalls(gateway, findProfile),
    ...scriptOperations(gateway, findProfile, options.lookAtScript ?? (() => undefined)),
    searchTools(gateway),
    listSources(gateway),
    recentCalls(history, options.others),
    watchEvents(feed, { clock, shares: gateway.shares, fleet }),
    ...(options.callDesk ? approvalsOfCalls(options.callDesk) : []),
    ...(options.audit ? [readAudit(options.audit)] : []),
    ...(options.metrics ? [readMetrics(options.metrics)] : []),
  ]
  const document = { operations: () => [...told, ...(options.beside ?? [])], version, about }
  const operations = [...told, documentOperation({ path: '/openapi.json', right: 'open', tag: 'document' }, document)]
  const callerOf = (caller: Caller, query: JsonObject) => withProfile(caller, query.profile, findProfile)
  return {
    operations,
    get document() {
      return openApiDocument(document)
    },
    routes: operations.map((each) => toRoute(each, { callerOf })),
    close: () => {
      stopHistory?.()
      feed.close()
      fleet?.close()
    },
  }
}

const about = words(
  'One board for every tool your agents use: list, search, describe and call them.',
  '智能体所用全部工具的统一入口：列出、查找、查看与调用。',
)
