import { messageOf } from '../../errors.js'
import { languageOf } from '../../http/language.js'
import type { HttpExchange, Route } from '../../http/route.js'
import { type Clock, systemClock } from '../../model/clock.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import { type ErrorEnvelope, type Operation, type OperationRequest, operation } from '../../operations/operation.js'
import { anyObject, words } from '../../operations/shape.js'
import { toRoute } from '../../operations/to-route.js'
import { type Logger, silentLogger } from '../../telemetry/logger.js'
import type { KnowledgeNetwork, OperatorIntegration, RecallContext } from './actions.js'
import { type Conversion, standardConversion } from './dynamic-tool.js'
import { getActionInfo, type RecallParts } from './get-action-info.js'
import { readAccount, readActionQuery, readFormat, requiredText } from './read-request.js'
import { isRecallError, recallError, toRecallBody } from './recall-error.js'
import { accountHeaders, recallBody, recallErrorDoc, recalled, recallQuery, toolAnswer } from './shapes.js'
import { type ErrorStyle, toRecallError } from './to-recall-error.js'
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
  /** Whose `x-account-*` headers are believed beside those of callers who may act for accounts (C20, S9). Default: nobody's. */
  readonly trustAccount?: ((exchange: HttpExchange) => boolean) | undefined
  /** The operations of the embedded services behind the recall. */
  readonly more?: readonly Operation[] | undefined
  readonly meter?: RecallMeter | undefined
  readonly clock?: Clock | undefined
  readonly logger?: Logger | undefined
}

export const recallPath = '/api/agent-retrieval/in/v1/kn/get_action_info'
export const proxyPath = '/api/agent-retrieval/in/v1/mcp/proxy/:mcp_id/tools/:tool_name/call'

/** Document 004 on the wire: action recall, and the proxy its answers point to. */
export const createRecallOperations = (options: RecallFaceOptions): readonly Operation[] => {
  const { operators, clock = systemClock, logger = silentLogger, meter } = options
  const style = { gatewayTimeout: options.gatewayTimeout ?? false }
  const parts: RecallParts = {
    knowledge: options.knowledge,
    operators,
    proxyUrl: (mcpId, toolName) => `${options.apiUrl()}${pathOf(proxyPath, [mcpId, toolName])}`,
    conversion: options.conversion ?? standardConversion,
    onUnreadable: options.onUnreadable ?? 'error',
    asynchronous: options.asynchronous ?? false,
    logger,
    onConverted: meter?.converted,
  }
  const asking = inContext(options, style, logger)

  const recall = operation({
    id: 'getActionInfo',
    method: 'POST',
    path: recallPath,
    right: 'discover',
    tag: 'recall',
    summary: words('The tools that carry out an action', '执行某个行动的工具'),
    query: recallQuery,
    headers: accountHeaders,
    body: recallBody,
    reads: {
      query: (fields) => ({ response_format: readFormat(fields) }),
      body: (body, fields) => readActionQuery(body ?? {}, fields),
    },
    answers: {
      200: { description: words('The tools; none is no error', '工具列表；没有工具不算错误'), schema: recalled },
    },
    errors: recallErrors(style),
    run: (request) =>
      asking(request, async (context) => {
        const { body: query } = request
        context.about?.({ kn_id: query.knId, at_id: query.atId })
        const tools = await getActionInfo(query, context, parts)
        const { id, type } = context.account
        const answer = { headers: { 'x-account-id': id, 'x-account-type': type }, _dynamic_tools: tools }
        if (request.query.response_format === 'json') return { json: answer }
        return { text: toToon(answer), type: 'text/toon; charset=utf-8' }
      }),
  })

  const proxy = operation({
    id: 'callMcpTool',
    method: 'POST',
    path: proxyPath,
    right: 'call',
    tag: 'recall',
    summary: words('Call a recalled tool with flat arguments', '调用召回的工具，参数平铺'),
    params: { mcp_id: words('The source', '来源'), tool_name: words('The tool', '工具') },
    query: anyObject(),
    headers: accountHeaders,
    body: anyObject(),
    bodyOptional: true,
    reads: { body: (body) => body ?? {} },
    answers: {
      200: { description: words("The tool's answer as it came", '工具的应答，原样返回'), schema: toolAnswer },
    },
    // What could not even be read is counted as well.
    errors: recallErrors(style, (status) => meter?.proxied(status, 0)),
    run: (request) => {
      const startedAt = clock.now()
      const count = (status: number): void => meter?.proxied(status, clock.now() - startedAt)
      return asking(
        request,
        async (context) => {
          const mcpId = requiredText(request.params.mcp_id, 'mcp_id')
          const toolName = requiredText(request.params.tool_name, 'tool_name')
          const json = await operators.callMcpTool(mcpId, toolName, readParameters(request.body), context)
          count(200)
          return { json }
        },
        count,
      )
    },
  })

  return [recall, proxy, ...(options.more ?? [])]
}

export const createRecallRoutes = (options: RecallFaceOptions): readonly Route[] =>
  createRecallOperations(options).map((each) => toRoute(each))

/** A path with its `:names` replaced in order, each one encoded segment (T25). */
export const pathOf = (path: string, values: readonly string[]): string => {
  let next = 0
  return path.replace(/:[a-z_]+/g, () => encodeURIComponent(values[next++] ?? ''))
}

/** The flat arguments; no body at all means none. */
export const readParameters = (body: unknown): JsonObject => {
  if (!isRecord(body)) throw recallError(400, 'invalid request body: it must be an object', '请求体无效：必须是对象')
  return body as JsonObject
}

/** Runs with the account it is for; a refusal of ours is in the log with what it was about (004-21). */
const inContext = (options: Pick<RecallFaceOptions, 'trustAccount'>, style: ErrorStyle, logger: Logger) => {
  const { trustAccount = () => false } = options
  return async <T>(
    { exchange, caller, params }: OperationRequest<unknown>,
    run: (context: RecallContext) => Promise<T>,
    onRefused?: (status: number) => void,
  ): Promise<T> => {
    const ids: Record<string, string> = { ...params }
    try {
      return await run({
        account: readAccount(
          exchange.request.headers,
          caller.actsForAccounts === true || trustAccount(exchange),
          caller.id,
        ),
        caller,
        get signal() {
          return exchange.cancel
        },
        about: (more) => void Object.assign(ids, more),
      })
    } catch (error) {
      const refused = toRecallError(error, style) ?? unexpected(error)
      if (refused.status >= 500)
        logger.log('error', refused.message, { ...ids, requestId: exchange.requestId, detail: messageOf(error) })
      onRefused?.(refused.status)
      throw refused
    }
  }
}

/** The error body of 004's wire. `onUnread` is told of what was refused before it ran. */
const recallErrors = (style: ErrorStyle, onUnread?: (status: number) => void): ErrorEnvelope => ({
  ...recallErrorDoc,
  tell: (error, { request }) => {
    const refused = toRecallError(error, style) ?? unexpected(error)
    if (!isRecallError(error)) onUnread?.(refused.status)
    const body = toRecallBody(refused, languageOf(request.headers))
    return { status: refused.status, body, unexpected: !isRecallError(error) && refused.status >= 500 }
  },
})

// A stranger's message may hold anything, so it stays in our log.
const unexpected = (error: unknown) =>
  recallError(500, 'Something went wrong on our side; the log has the details', '服务内部错误，详见日志', error)
