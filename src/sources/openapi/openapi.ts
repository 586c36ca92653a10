import { hash } from 'node:crypto'
import { GatewayError, messageOf } from '../../errors.js'
import type { JsonObject } from '../../model/json.js'
import { resultAnswer } from '../../model/result.js'
import type { Source, SourceUpdate, ToolProblem } from '../source.js'
import { type BuiltRequest, buildRequest } from './build-request.js'
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.js'
import type { OperationPlan, OperationSet } from './operation.js'
import { readOperations } from './operations.js'
import type { OpenApiOptions } from './options.js'
import { readAnswer } from './read-answer.js'
import { parseDocumentText, readText, urlOf } from './read-document.js'

/** The operations of an OpenAPI document as tools, called where the document or the operator says. */
export const createOpenApiSource = (options: OpenApiOptions): Source => {
  const fetch = createGuardedFetch({
    trustedHosts: new Set(
      [options.spec, options.baseUrl].flatMap((text) => (text && urlOf(text) ? [urlOf(text)!.hostname] : [])),
    ),
    allowPrivate: options.allowPrivate ?? false,
    timeoutMs: options.timeoutMs ?? 60_000,
  })
  const { clock, logger, pollMs = urlOf(options.spec) ? 300_000 : 2000 } = options
  let current: OperationSet | undefined
  let seen = ''
  let closed = false

  /** Reads it, and reports where it is another than before. */
  const look = async (
    onTools: (update: SourceUpdate) => readonly ToolProblem[],
    signal: AbortSignal,
  ): Promise<void> => {
    const headers = urlOf(options.spec) ? credentialsFor(urlOf(options.spec)!, options).headers : {}
    const text = await readText(options.spec, { folder: options.folder, fetch, headers, signal })
    const mark = hash('sha256', text)
    if (mark === seen) return
    const { set, problems } = readOperations(parseDocumentText(text, options.spec), options)
    baseOf(set, undefined, options)
    seen = mark
    current = set
    onTools({ type: 'all', tools: [...set.plans.values()].map(({ spec }) => spec), problems })
  }

  return {
    kind: 'openapi',
    watch: async (onTools, signal) => {
      await look(onTools, signal)
      await new Promise<void>((resolve) => {
        let cancel = () => {}
        const again = async (): Promise<void> => {
          // A document that is broken now leaves the last good one in place.
          await look(onTools, signal).catch((error: unknown) =>
            logger.log('warn', `The OpenAPI document could not be read again: ${messageOf(error)}`),
          )
          if (!signal.aborted) cancel = clock.after(pollMs, () => void again())
        }
        cancel = clock.after(pollMs, () => void again())
        const stop = () => {
          cancel()
          resolve()
        }
        if (signal.aborted) stop()
        else signal.addEventListener('abort', stop, { once: true })
      })
    },
    call: async (name, args, { signal }) => {
      if (closed || !current) throw unavailable(options.spec)
      const plan = current.plans.get(name)
      if (!plan)
        throw new GatewayError('TOOL_NOT_FOUND', `The OpenAPI document has no operation '${name}'.`, {
          details: { tool: name },
          notSent: true,
        })
      return resultAnswer(readAnswer(await send(fetch, plan, args, current, options, signal)))
    },
    [Symbol.asyncDispose]: async () => {
      closed = true
      await fetch.close()
    },
  }
}

const send = (
  fetch: GuardedFetch,
  plan: OperationPlan,
  args: JsonObject,
  set: OperationSet,
  options: OpenApiOptions,
  signal: AbortSignal,
) => {
  const base = baseOf(set, plan.server, options)
  const built: BuiltRequest = buildRequest(plan, args, base)
  const { headers, query } = credentialsFor(built.url, options, baseOf(set, undefined, options))
  for (const [name, value] of query) built.url.searchParams.set(name, value)
  return fetch(built.url, {
    method: plan.method as 'GET',
    // The operator's headers last: an argument must not replace them.
    headers: { ...built.headers, ...headers },
    ...(built.body === undefined ? {} : { body: built.body as string }),
    signal,
    maxBytes: options.maxResponseBytes ?? 4 * 1024 * 1024,
  })
}

/** Where calls go: what the operator wrote, else the operation's or the document's server, beside the document itself. */
const baseOf = ({ server }: OperationSet, own: string | undefined, { baseUrl, spec }: OpenApiOptions): URL => {
  if (baseUrl !== undefined) return new URL(baseUrl)
  const named = own ?? server ?? '/'
  const beside = urlOf(spec)?.href
  if (URL.canParse(named, beside)) {
    const url = new URL(named, beside)
    if (url.protocol === 'http:' || url.protocol === 'https:') return url
  }
  throw new GatewayError(
    'SOURCE_INVALID',
    `The OpenAPI document ${spec.slice(0, 200)} names no server that can be called; set baseUrl.`,
  )
}

/**
 * Credentials go to the origin the operator named and to no other: the base URL, else where the document came from,
 * else, for a file of the operator's own, the server in it.
 */
const credentialsFor = (
  url: URL,
  { baseUrl, spec, headers = {}, auth }: OpenApiOptions,
  documentServer?: URL,
): { headers: Record<string, string>; query: readonly (readonly [string, string])[] } => {
  const home = baseUrl === undefined ? (urlOf(spec) ?? documentServer) : new URL(baseUrl)
  if (home?.origin !== url.origin) return { headers: {}, query: [] }
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  if (auth?.type === 'bearer') return { headers: { ...own, authorization: `Bearer ${auth.token}` }, query: [] }
  if (auth?.type === 'header') return { headers: { ...own, [auth.name.toLowerCase()]: auth.value }, query: [] }
  return { headers: own, query: auth ? [[auth.name, auth.value]] : [] }
}

const unavailable = (spec: string): GatewayError =>
  new GatewayError('SOURCE_UNAVAILABLE', `The API of ${spec.slice(0, 200)} is not running here.`, { notSent: true })
