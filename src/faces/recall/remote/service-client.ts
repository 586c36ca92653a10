import type { Agent } from 'undici'
import { GatewayError, messageOf } from '../../../errors.js'
import type { JsonObject } from '../../../model/json.js'
import { isRecord } from '../../../model/json.js'
import type { RecallContext } from '../actions.js'
import { recallError } from '../recall-error.js'

export interface ServiceClientOptions {
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
      const signal = AbortSignal.any([context.signal, AbortSignal.timeout(timeoutMs)])
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
