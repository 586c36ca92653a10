import { messageOf } from '../../errors.js'
import { isLoopbackAddress } from '../../http/addresses.js'
import { sendBody, sendJson } from '../../http/answer.js'
import type { HttpExchange, Route } from '../../http/route.js'
import { type Clock, systemClock } from '../../model/clock.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import { type Logger, silentLogger } from '../../telemetry/logger.js'
import { languageOf } from '../language.js'
import { readJson } from '../read-json.js'
import type { KnowledgeNetwork, OperatorIntegration, RecallContext } from './actions.js'
import { type Conversion, standardConversion } from './dynamic-tool.js'
import { getActionInfo, type RecallParts } from './get-action-info.js'
import { readAccount, readActionQuery, readFormat, requiredText } from './read-request.js'
import { recallError, toRecallBody } from './recall-error.js'
import { toRecallError } from './to-recall-error.js'
import { toToon } from './toon.js'

/** Told what 004-20 wants watched. */
export interface RecallMeter {
  proxied(status: number, latencyMs: number): void
  converted(ok: boolean): void
}

export interface RecallFaceOptions {
  readonly knowledge: KnowledgeNetwork
  readonly operators: OperatorIntegration
  /** Scheme, host and port under which agents reach us: the `http://<name>:<port>` of 004-06. */
  readonly apiUrl: () => string
  /** Default: complete, three references deep. */
  readonly conversion?: Conversion | undefined
  /** Default `error`. */
  readonly onUnreadable?: 'error' | 'open' | undefined
  /** Answer with the newer form, where actions are submitted and carried out later. Default: false. */
  readonly asynchronous?: boolean | undefined
  /** 504 where time ran out, instead of 502. Default: false. */
  readonly gatewayTimeout?: boolean | undefined
  /** Whose `x-account-*` headers are believed (C20). Default: programs on this machine, and nobody else. */
  readonly trustAccount?: ((exchange: HttpExchange) => boolean) | undefined
  /** Routes of the embedded services behind the recall. */
  readonly more?: readonly Route[] | undefined
  readonly meter?: RecallMeter | undefined
  readonly clock?: Clock | undefined
  readonly logger?: Logger | undefined
}

export const recallPath = '/api/agent-retrieval/in/v1/kn/get_action_info'
export const proxyPath = '/api/agent-retrieval/in/v1/mcp/proxy/:mcp_id/tools/:tool_name/call'

/** Document 004 on the wire: action recall, and the proxy its answers point to. */
export const createRecallRoutes = (options: RecallFaceOptions): readonly Route[] => {
  const { operators, clock = systemClock, logger = silentLogger, meter } = options
  const parts: RecallParts = {
    knowledge: options.knowledge,
    operators,
    proxyUrl: (mcpId, toolName) => `${options.apiUrl()}${pathOf(proxyPath, [mcpId, toolName])}`,
    conversion: options.conversion ?? standardConversion,
    onUnreadable: options.onUnreadable ?? 'error',
    asynchronous: options.asynchronous ?? false,
    logger,
    ...(meter ? { onConverted: meter.converted } : {}),
  }
  const answering = answer(options, logger)

  const recall: Route['handle'] = answering(async (exchange, context) => {
    const format = readFormat(exchange.query)
    const query = readActionQuery((await readJson(exchange)) ?? {}, exchange.query)
    context.about?.({ kn_id: query.knId, at_id: query.atId })
    const tools = await getActionInfo(query, context, parts)
    const { id, type } = context.account
    const body = { headers: { 'x-account-id': id, 'x-account-type': type }, _dynamic_tools: tools }
    if (format === 'toon') sendBody(exchange.response, 200, 'text/toon; charset=utf-8', toToon(body))
    else sendJson(exchange.response, 200, body)
  })

  const proxy: Route['handle'] = async (exchange) => {
    const startedAt = clock.now()
    await answering(async (asked, context) => {
      const mcpId = requiredText(asked.params.mcp_id, 'mcp_id')
      const toolName = requiredText(asked.params.tool_name, 'tool_name')
      const parameters = await readParameters(asked)
      sendJson(asked.response, 200, await operators.callMcpTool(mcpId, toolName, parameters, context))
    })(exchange)
    meter?.proxied(exchange.response.statusCode, clock.now() - startedAt)
  }

  return [
    { method: 'POST', path: recallPath, right: 'discover', ownHeaders: true, handle: recall },
    { method: 'POST', path: proxyPath, right: 'call', ownHeaders: true, handle: proxy },
    ...(options.more ?? []),
  ]
}

/** A path with its `:names` replaced in order, each one encoded segment (T25). */
export const pathOf = (path: string, values: readonly string[]): string => {
  let next = 0
  return path.replace(/:[a-z_]+/g, () => encodeURIComponent(values[next++] ?? ''))
}

/** The flat arguments; no body at all means none. */
export const readParameters = async (exchange: HttpExchange): Promise<JsonObject> => {
  const body = (await readJson(exchange)) ?? {}
  if (!isRecord(body)) throw recallError(400, 'invalid request body: it must be an object', '请求体无效：必须是对象')
  return body as JsonObject
}

type Answering = (exchange: HttpExchange, context: RecallContext) => Promise<void>

const answer =
  (options: Pick<RecallFaceOptions, 'trustAccount' | 'gatewayTimeout'>, logger: Logger) =>
  (run: Answering): ((exchange: HttpExchange) => Promise<void>) => {
    const trust = options.trustAccount ?? (({ request }) => isLoopbackAddress(request.socket.remoteAddress))
    const style = { gatewayTimeout: options.gatewayTimeout ?? false }
    return async (exchange) => {
      const { request, response, caller, params } = exchange
      const ids: Record<string, string> = { ...params }
      try {
        const account = readAccount(request.headers, trust(exchange), caller.id)
        const context: RecallContext = {
          account,
          caller,
          get signal() {
            return exchange.signal
          },
          about: (more) => void Object.assign(ids, more),
        }
        await run(exchange, context)
      } catch (error) {
        const refused = toRecallError(error, style) ?? unexpected(error)
        if (refused.status >= 500)
          logger.log('error', refused.message, { ...ids, requestId: exchange.requestId, detail: messageOf(error) })
        if (response.headersSent || response.destroyed) return void response.destroy()
        sendJson(response, refused.status, toRecallBody(refused, languageOf(request.headers)))
      }
    }
  }

// A stranger's message may hold anything, so it stays in our log.
const unexpected = (error: unknown) =>
  recallError(500, 'Something went wrong on our side; the log has the details', '服务内部错误，详见日志', error)
