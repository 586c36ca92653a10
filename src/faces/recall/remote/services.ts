import type { Agent } from 'undici'
import { GatewayError, messageOf } from '../../../errors.js'
import { toAbortSignal } from '../../../model/cancel.js'
import { isRecord, type JsonObject } from '../../../model/json.js'
import type { ActionSource, KnowledgeNetwork, McpToolDetail, OperatorIntegration, RecallContext } from '../actions.js'
import { recallError } from '../recall-error.js'

interface ServiceClientOptions {
  /** Scheme, host and port of the service. */
  readonly url: string
  /** Named in errors and logs. */
  readonly name: string
  /** For one request. Default: 30 s; the original waits ten minutes. */
  readonly timeoutMs?: number | undefined
  /** Default: 8 MiB. */
  readonly maxBytes?: number | undefined
  /** Sent with every request, beside the account. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Asks one service of 004's world. Certificates are checked, redirects refused, time and size bounded. */
export interface ServiceClient {
  readonly url: string
  ask(
    method: 'GET' | 'POST',
    path: string,
    context: RecallContext,
    body?: unknown,
    more?: Readonly<Record<string, string>>,
  ): Promise<JsonObject>
  close(): Promise<void>
}

export const createServiceClient = (options: ServiceClientOptions): ServiceClient => {
  const { name, timeoutMs = 30_000, maxBytes = 8 * 1024 * 1024 } = options
  const base = parseBase(options.url, name)
  let agent: Agent | undefined
  return {
    url: base,
    ask: async (method, path, context, body, more = {}) => {
      const signal = AbortSignal.any([toAbortSignal(context.signal), AbortSignal.timeout(timeoutMs)])
      try {
        // Imported when first wanted: most gateways never ask another service, and this takes a while to load.
        const undici = await import('undici')
        agent ??= new undici.Agent(agentOptions(timeoutMs))
        const url = new URL(`${base}${path}`)
        const answer = await agent.request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method,
          signal,
          headers: { ...options.headers, ...accountHeaders(context), ...contentType(body), ...more },
          body: body === undefined ? null : JSON.stringify(body),
        })
        const text = await readBounded(answer.body, maxBytes)
        // Whatever it refuses, even with 404, is to our caller a service that did not serve.
        if (answer.statusCode < 200 || answer.statusCode > 299)
          throw unavailable(name, `it answered ${answer.statusCode}`)
        return parseObject(text, name)
      } catch (error) {
        if (error instanceof Error && error.name === 'RecallError') throw error
        throw failed(name, error, signal.aborted && !context.signal.aborted)
      }
    },
    close: async () => agent?.destroy().catch(() => {}),
  }
}

const agentOptions = (timeoutMs: number): Agent.Options => ({
  connect: { timeout: Math.min(timeoutMs, 10_000) },
  headersTimeout: timeoutMs,
  bodyTimeout: timeoutMs,
})

const contentType = (body: unknown) => (body === undefined ? {} : { 'content-type': 'application/json' })

const accountHeaders = ({ account }: RecallContext) => ({
  'x-account-id': oneLine(account.id),
  'x-account-type': oneLine(account.type),
  'x-business-domain': oneLine(account.businessDomain),
})

// Node refuses line ends in headers by throwing; a name with one is not worth a 500.
const oneLine = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 512)

const parseBase = (url: string, name: string): string => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed && ['http:', 'https:'].includes(parsed.protocol) && !parsed.username)
    return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`
  throw new GatewayError('CONFIG_INVALID', `The address of ${name} must be a URL such as http://host:9000.`)
}

const readBounded = async (body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> => {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const parseObject = (text: string, name: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value as JsonObject
  } catch {
    // Told below: both are an answer that cannot be read.
  }
  throw recallError(500, `${name} answered with something that is not a JSON object`, `${name} 的响应无法解析`)
}

const unavailable = (name: string, why: string) =>
  recallError(502, `${name} failed: ${why}`, `${name} 服务不可用: ${why}`)

const failed = (name: string, error: unknown, late: boolean) =>
  late
    ? new GatewayError('DEADLINE_EXCEEDED', `${name} did not answer in time.`, { cause: error })
    : recallError(502, `${name} failed: ${messageOf(error)}`, `${name} 服务不可用: ${messageOf(error)}`, error)

const networks = '/api/ontology-query/in/v1/knowledge-networks'

/** A real knowledge network. Its query is a GET in a POST's clothes, since identities do not fit a URL. */
export const createOntologyQuery = (client: ServiceClient): KnowledgeNetwork => ({
  queryActions: async ({ knId, atId, identities }, context) => {
    const body = { _instance_identities: identities, unique_identities: identities, include_type_info: false }
    const path = `${networks}/${encodeURIComponent(knId)}/action-types/${encodeURIComponent(atId)}`
    const found = await client.ask('POST', path, context, body, { 'x-http-method-override': 'GET' })
    return { action_source: sourceOf(found.action_source), actions: listOf(found.actions) }
  },
  executeUrl: ({ knId, atId }) =>
    `${client.url}${networks}/${encodeURIComponent(knId)}/action-types/${encodeURIComponent(atId)}/execute`,
})

const sourceOf = (value: unknown): ActionSource | null =>
  isRecord(value) && typeof value.type === 'string' ? (value as unknown as ActionSource) : null

const listOf = (value: unknown): { readonly parameters: JsonObject }[] =>
  (Array.isArray(value) ? value : [])
    .filter(isRecord)
    .map((action) => ({ ...action, parameters: isRecord(action.parameters) ? (action.parameters as JsonObject) : {} }))

const operators = '/api/agent-operator-integration/internal-v1'

/** A real operator service (004-02, 004-05). */
export const createOperatorIntegration = (client: ServiceClient): OperatorIntegration => ({
  getToolDetail: async (boxId, toolId, context) => {
    const path = `${operators}/tool-box/${encodeURIComponent(boxId)}/tool/${encodeURIComponent(toolId)}`
    const { name, description, metadata } = await client.ask('GET', path, context)
    const apiSpec = isRecord(metadata) && isRecord(metadata.api_spec) ? (metadata.api_spec as JsonObject) : {}
    return { name: textOf(name), description: textOf(description), apiSpec }
  },
  toolBoxUrl: (boxId, toolId) =>
    `${client.url}${operators}/tool-box/${encodeURIComponent(boxId)}/proxy/${encodeURIComponent(toolId)}`,
  getMcpToolDetail: async (mcpId, toolName, context) => {
    const { tools } = await client.ask('GET', `${operators}/mcp/proxy/${encodeURIComponent(mcpId)}/tools`, context)
    if (!Array.isArray(tools)) throw recallError(500, 'The tool list has no tools in it', 'MCP 工具列表响应无法解析')
    const found = tools.filter(isRecord).find(({ name }) => name === toolName)
    if (found) return detailOf(found)
    const shown = toolName.slice(0, 120)
    throw recallError(404, `Tool not found: ${shown}`, `未找到指定工具: ${shown}`)
  },
  callMcpTool: async (mcpId, toolName, parameters, context) => {
    // Its tools are none of our board's: nobody here can say which of them only read.
    if (!context.caller.rights.includes('call'))
      throw new GatewayError('ACCESS_DENIED', 'Only those with the right to call may call tools of another service.')
    return client.ask('POST', `${operators}/mcp/proxy/${encodeURIComponent(mcpId)}/tool/call`, context, {
      tool_name: toolName,
      parameters,
    })
  },
})

const detailOf = ({ name, description, inputSchema, annotations }: Record<string, unknown>): McpToolDetail => ({
  name: textOf(name),
  description: textOf(description),
  inputSchema: isRecord(inputSchema) ? (inputSchema as JsonObject) : null,
  isUnreadable: inputSchema === undefined || inputSchema === null || isRecord(inputSchema) ? undefined : true,
  annotations: isRecord(annotations) ? (annotations as JsonObject) : undefined,
})

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
