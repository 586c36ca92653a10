import type { Gateway } from '../../gateway.js'
import type { Route } from '../../http/route.js'
import { type Clock, systemClock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import { createSchemas } from '../../schema/schemas.js'
import { type Logger, silentLogger } from '../../telemetry/logger.js'
import { openApiDocument } from './document.js'
import type { Operation } from './operation.js'
import { callBatch } from './operations/call-batch.js'
import { callTool } from './operations/call-tool.js'
import { describeTool } from './operations/describe-tool.js'
import { listSources } from './operations/list-sources.js'
import { listTools } from './operations/list-tools.js'
import { searchTools } from './operations/search-tools.js'
import { toolCalls } from './operations/tool-calls.js'
import type { FindRestProfile } from './profile.js'
import { toRoute } from './to-route.js'

export interface RestFaceOptions {
  readonly gateway: Gateway
  /** Default: only the default profile, without limits. */
  readonly findProfile?: FindRestProfile
  /** Shown in the OpenAPI document. */
  readonly version?: string
  readonly clock?: Clock
  readonly logger?: Logger
}

/** The board for any program that can POST JSON. */
export interface RestFace {
  readonly routes: readonly Route[]
  readonly operations: readonly Operation[]
  readonly document: JsonObject
}

export const createRestFace = (options: RestFaceOptions): RestFace => {
  const { gateway, clock = systemClock, logger = silentLogger, version = '0.0.0' } = options
  const findProfile = options.findProfile ?? ((name) => (name === 'default' ? {} : undefined))
  const told: Operation[] = [
    listTools(gateway),
    describeTool(gateway, clock),
    callTool(gateway, findProfile, clock),
    callBatch(gateway, findProfile),
    toolCalls(gateway, findProfile),
    searchTools(gateway),
    listSources(gateway),
  ]
  const document = openApiDocument(told, version)
  const operations = [...told, ownDocument(document)]
  const parts = { schemas: createSchemas(), findProfile, logger }
  return { operations, document, routes: operations.map((operation) => toRoute(operation, parts)) }
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
