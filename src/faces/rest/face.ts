import type { Gateway } from '../../gateway.js'
import type { Route } from '../../http/route.js'
import { type Clock, systemClock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import { createSchemas } from '../../schema/schemas.js'
import type { AuditLog } from '../../telemetry/audit-file.js'
import { type Logger, silentLogger } from '../../telemetry/logger.js'
import type { Metrics } from '../../telemetry/metrics.js'
import { createRecentCalls } from '../../telemetry/recent-calls.js'
import { openApiDocument } from './document.js'
import { createEventFeed } from './event-feed.js'
import type { Operation } from './operation.js'
import { callBatch } from './operations/call-batch.js'
import { callTool } from './operations/call-tool.js'
import { describeTool } from './operations/describe-tool.js'
import { listSources } from './operations/list-sources.js'
import { listTools } from './operations/list-tools.js'
import { readAudit } from './operations/read-audit.js'
import { readMetrics } from './operations/read-metrics.js'
import { recentCalls } from './operations/recent-calls.js'
import { searchTools } from './operations/search-tools.js'
import { toolCalls } from './operations/tool-calls.js'
import { watchEvents } from './operations/watch-events.js'
import type { FindRestProfile } from './profile.js'
import { toRoute } from './to-route.js'

export interface RestFaceOptions {
  readonly gateway: Gateway
  /** Default: only the default profile, without limits. */
  readonly findProfile?: FindRestProfile | undefined
  /** Shown in the OpenAPI document. */
  readonly version?: string | undefined
  /** What else this port answers, as paths of an OpenAPI document. */
  readonly morePaths?: JsonObject | undefined
  /** Served at `/metrics`. Default: not served. */
  readonly metrics?: Metrics | undefined
  /** Readable by admins. Default: none. */
  readonly audit?: AuditLog | undefined
  /** What the list of tools waits for while sources start of which nothing is known. */
  readonly firstList?: (() => Promise<unknown> | undefined) | undefined
  readonly clock?: Clock | undefined
  readonly logger?: Logger | undefined
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
  const { gateway, clock = systemClock, logger = silentLogger, version = '0.0.0' } = options
  const findProfile = options.findProfile ?? ((name) => (name === 'default' ? {} : undefined))
  const recent = createRecentCalls()
  const stopRecent = gateway.onCall(recent.listener)
  const feed = createEventFeed(gateway, clock)
  const told: Operation[] = [
    listTools(gateway, options.firstList),
    describeTool(gateway, clock),
    callTool(gateway, findProfile, clock),
    callBatch(gateway, findProfile),
    toolCalls(gateway, findProfile),
    searchTools(gateway),
    listSources(gateway),
    recentCalls(recent),
    watchEvents(feed, clock),
    ...(options.audit ? [readAudit(options.audit)] : []),
    ...(options.metrics ? [readMetrics(options.metrics)] : []),
  ]
  const document = openApiDocument(told, version, options.morePaths)
  const operations = [...told, ownDocument(document)]
  const parts = { schemas: createSchemas(), findProfile, logger }
  return {
    operations,
    document,
    routes: operations.map((operation) => toRoute(operation, parts)),
    close: () => {
      stopRecent()
      feed.close()
    },
  }
}

/** It tells nothing that this page of the documentation does not, so anyone may read it. */
const ownDocument = (document: JsonObject): Operation => {
  const text = Buffer.from(JSON.stringify(document))
  return {
    id: 'openApi',
    method: 'GET',
    path: '/openapi.json',
    right: 'open',
    tag: 'document',
    summary: 'This document',
    answers: { 200: { description: 'OpenAPI 3.1' } },
    run: () => ({ text, headers: { 'Cache-Control': 'no-cache' } }),
  }
}
