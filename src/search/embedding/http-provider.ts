import { Agent } from 'undici'
import { GatewayError, isGatewayError } from '../../errors.js'
import { type Clock, systemClock } from '../../model/clock.js'
import { isRecord } from '../../model/json.js'
import type { EmbeddingProvider } from './provider.js'

/** A service that speaks OpenAI's embeddings API: OpenAI itself, Ollama, vLLM, LM Studio, text-embeddings-inference. */
export interface HttpEmbeddingOptions {
  /** The API's base (`https://…/v1`) or the whole address ending in `/embeddings`. */
  readonly url: string
  readonly model: string
  /** Sent as a bearer token; never shown. */
  readonly apiKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Asks for shorter vectors, where the model can. */
  readonly dimensions?: number | undefined
  /** Put before each text; some models want `query: ` and `passage: `. */
  readonly prefixes?: { readonly query?: string | undefined; readonly tool?: string | undefined } | undefined
  /** Texts in one request. Default 64. */
  readonly batchSize?: number | undefined
  /** Time for one request. Default 10,000. */
  readonly timeoutMs?: number | undefined
  /** Characters of one text; the rest is cut. Default 8,000. */
  readonly maxTextLength?: number | undefined
  /** Bytes of one answer. Default 32 MiB. */
  readonly maxAnswerBytes?: number | undefined
  readonly unrelated?: number | undefined
  readonly clock?: Clock | undefined
}

export const createHttpEmbeddings = (options: HttpEmbeddingOptions): EmbeddingProvider => {
  const url = endpoint(options.url)
  const { batchSize = 64, maxTextLength = 8_000, prefixes = {} } = options
  const agent = new Agent()
  let dimensions = options.dimensions ?? 0
  return {
    id: `http:${url.host}${url.pathname}:${options.model}:${options.dimensions ?? ''}:${prefixes.query ?? ''}:${prefixes.tool ?? ''}`,
    get dimensions() {
      return dimensions
    },
    unrelated: options.unrelated,
    embed: async (texts, { kind, signal }) => {
      const vectors: Float32Array[] = []
      for (let from = 0; from < texts.length; from += batchSize) {
        const input = texts
          .slice(from, from + batchSize)
          .map((text) => `${prefixes[kind] ?? ''}${text}`.slice(0, maxTextLength))
        vectors.push(...(await ask(agent, url, options, input, signal)))
      }
      dimensions = vectors[0]?.length ?? dimensions
      return vectors
    },
  }
}

const endpoint = (given: string): URL => {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new GatewayError('CONFIG_INVALID', 'The address of the embedding service must be an http or https URL.')
  }
  if (!url.pathname.endsWith('/embeddings')) url.pathname = `${url.pathname.replace(/\/$/, '')}/embeddings`
  return url
}

const ask = async (
  agent: Agent,
  url: URL,
  options: HttpEmbeddingOptions,
  input: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly Float32Array[]> => {
  const { timeoutMs = 10_000, maxAnswerBytes = 32 * 1024 * 1024, clock = systemClock } = options
  const timeout = new AbortController()
  const cancelTimer = clock.after(timeoutMs, () => timeout.abort())
  try {
    const answer = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers: headersOf(options),
      body: JSON.stringify({
        model: options.model,
        input,
        dimensions: options.dimensions,
      }),
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
    })
    const text = await readBody(answer.body, maxAnswerBytes)
    if (answer.statusCode !== 200) throw refused(url, answer.statusCode)
    return readVectors(text, input.length)
  } catch (error) {
    throw explain(error, url, timeout.signal, signal)
  } finally {
    cancelTimer()
  }
}

const headersOf = ({ apiKey, headers }: HttpEmbeddingOptions): Record<string, string | undefined> => ({
  'content-type': 'application/json',
  authorization: apiKey === undefined ? undefined : `Bearer ${apiKey}`,
  ...headers,
})

const readBody = async (body: AsyncIterable<Buffer>, most: number): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > most)
      throw new GatewayError('RESULT_TOO_LARGE', `The embedding service answered with more than ${most} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** One vector per text, in the order of the texts: services may answer in another. */
const readVectors = (text: string, count: number): readonly Float32Array[] => {
  const answer = parseJson(text)
  const data = isRecord(answer) && Array.isArray(answer.data) ? answer.data : []
  const vectors: Float32Array[] = []
  for (const [place, item] of data.entries()) {
    if (!isRecord(item) || !isVector(item.embedding)) throw malformed()
    vectors[typeof item.index === 'number' ? item.index : place] = Float32Array.from(item.embedding)
  }
  const length = vectors[0]?.length
  if (data.length !== count || vectors.length !== count) throw malformed()
  for (let i = 0; i < count; i++) if (vectors[i]?.length !== length) throw malformed()
  return vectors
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isVector = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length > 0 && value.every((x) => typeof x === 'number' && Number.isFinite(x))

const malformed = (): GatewayError =>
  new GatewayError(
    'RESULT_INVALID',
    'The embedding service did not answer with one vector per text; check that its URL is an OpenAI-compatible embeddings API.',
  )

const refused = (url: URL, status: number): GatewayError => {
  const advice =
    status === 401 || status === 403 ? 'check its API key' : status === 404 ? 'check URL and model' : 'try later'
  return new GatewayError('SOURCE_UNAVAILABLE', `The embedding service at ${url.host} answered ${status}; ${advice}.`, {
    details: { status },
  })
}

const explain = (error: unknown, url: URL, timeout: AbortSignal, signal: AbortSignal | undefined): unknown => {
  if (isGatewayError(error)) return error
  if (signal?.aborted) return new GatewayError('CALL_CANCELLED', 'The search was cancelled.', { cause: error })
  if (timeout.aborted) {
    return new GatewayError('DEADLINE_EXCEEDED', `The embedding service at ${url.host} did not answer in time.`)
  }
  return new GatewayError('SOURCE_UNAVAILABLE', `The embedding service at ${url.host} cannot be reached.`, {
    cause: error,
  })
}
