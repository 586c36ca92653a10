import { GatewayError, isGatewayError } from '../errors.js'
import { scanJson } from '../mcp/scan.js'
import type { Clock } from '../model/clock.js'
import { parseListedServer, parseServerPage } from './parse-server-json.js'
import { isServerName, type ListedServer, type ServerPage } from './server-json.js'

/** A registry that speaks the API of the official one, v0.1. */
export interface RegistryAddress {
  /** What people call it. */
  readonly name: string
  readonly url: string
  /** Sent to it and to nobody else. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export type RegistryFetch = (
  url: URL,
  options: {
    readonly headers: Readonly<Record<string, string>>
    readonly signal: AbortSignal
    readonly maxBytes: number
  },
) => Promise<{
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}>

/** What a registry answered before, kept by its address. */
export interface RegistryCache {
  read(address: string): Promise<KeptAnswer | undefined>
  write(address: string, answer: KeptAnswer): Promise<void>
}

export interface KeptAnswer {
  readonly etag: string
  readonly body: string
  /** When it was last known to be true. */
  readonly at: number
}

export interface RegistryClientOptions {
  readonly registry: RegistryAddress
  readonly fetch: RegistryFetch
  readonly cache: RegistryCache
  readonly clock: Pick<Clock, 'wall'>
  /** Default: `registryLimits`. */
  readonly limits?: typeof registryLimits | undefined
}

export interface SearchedServers {
  readonly servers: readonly ListedServer[]
  readonly refused: ServerPage['refused']
  /** Where the next ones begin; undefined at the end. */
  readonly nextCursor: string | undefined
  /** The registry was away, and this is what it said then. */
  readonly keptSince: number | undefined
}

/** How much of a registry is read. */
export const registryLimits: Readonly<
  Record<'pageBytes' | 'entryBytes' | 'pages' | 'perPage' | 'requestMs' | 'searchMs', number>
> = Object.freeze({
  pageBytes: 4 * 1024 * 1024,
  entryBytes: 512 * 1024,
  /** Pages of one search. */
  pages: 20,
  perPage: 100,
  /** For one request. */
  requestMs: 15_000,
  /** For all requests of one search. */
  searchMs: 60_000,
})

const jsonLimits = {
  maxDepth: 32,
  maxElements: 200_000,
  maxKeys: 20_000,
  duplicateDepth: Number.POSITIVE_INFINITY,
  inexactNumbers: 'round',
} as const

/** One registry, asked within bounds. Nothing is asked before somebody calls a method. */
export class RegistryClient {
  readonly #options: RegistryClientOptions
  readonly #base: string
  readonly #limits: typeof registryLimits

  constructor(options: RegistryClientOptions) {
    this.#options = options
    this.#limits = options.limits ?? registryLimits
    this.#base = options.registry.url.replace(/\/+$/, '').replace(/\/v0(?:\.1)?$/, '')
  }

  get registry(): RegistryAddress {
    return this.#options.registry
  }

  /** The newest version of each server whose name holds this text, from page to page until there are enough. */
  async search(
    text: string,
    {
      limit,
      cursor,
      signal,
    }: { readonly limit: number; readonly cursor?: string | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<SearchedServers> {
    const until = anyOf(signal, AbortSignal.timeout(this.#limits.searchMs))
    const byName = new Map<string, ListedServer>()
    const refused: ServerPage['refused'][number][] = []
    const seen = new Set<string>(cursor === undefined ? [] : [cursor])
    let next = cursor
    let keptSince: number | undefined
    for (let page = 0; page < this.#limits.pages; page++) {
      const perPage = String(Math.min(this.#limits.perPage, Math.max(limit, 1)))
      const query = new URLSearchParams({ version: 'latest', limit: perPage })
      if (text !== '') query.set('search', text)
      if (next !== undefined) query.set('cursor', next)
      const answer = await this.#ask(`/v0.1/servers?${query}`, this.#limits.pageBytes, until)
      if (answer === undefined) throw this.#notThere()
      const found = this.#read(answer.value, parseServerPage)
      keptSince ??= answer.keptSince
      refused.push(...found.refused)
      for (const each of found.servers) keepNewest(byName, each)
      next = found.nextCursor
      if (next === undefined || byName.size >= limit) break
      if (seen.has(next)) throw this.#wrong('its pages lead in a circle')
      seen.add(next)
    }
    return { servers: [...byName.values()], refused, nextCursor: next, keptSince }
  }

  /** One version, or the newest; undefined where the registry does not have it. */
  async server(
    name: string,
    version = 'latest',
    signal?: AbortSignal,
  ): Promise<(ListedServer & { readonly keptSince: number | undefined }) | undefined> {
    if (!isServerName(name)) return undefined
    const path = `/v0.1/servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`
    const answer = await this.#ask(path, this.#limits.entryBytes, signal)
    if (answer === undefined) return undefined
    const listed = this.#read(answer.value, parseListedServer)
    // A registry that answers with another server, or another version, is not believed.
    if (listed.server.name !== name) throw this.#wrong(`it answers '${listed.server.name}' to '${name}'`)
    if (version !== 'latest' && listed.server.version !== version)
      throw this.#wrong(`it answers version ${listed.server.version} to ${version}`)
    return { ...listed, keptSince: answer.keptSince }
  }

  /** All versions of a server, the newest first; undefined where it does not have it. */
  async versions(name: string, signal?: AbortSignal): Promise<readonly ListedServer[] | undefined> {
    if (!isServerName(name)) return undefined
    const path = `/v0.1/servers/${encodeURIComponent(name)}/versions`
    const answer = await this.#ask(path, this.#limits.pageBytes, signal)
    return answer && this.#read(answer.value, parseServerPage).servers.filter(({ server }) => server.name === name)
  }

  async #ask(
    path: string,
    maxBytes: number,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly value: unknown; readonly keptSince: number | undefined } | undefined> {
    const { fetch, cache, clock, registry } = this.#options
    const url = new URL(`${this.#base}${path}`)
    const kept = await cache.read(url.href)
    const headers = { accept: 'application/json', ...registry.headers, ...(kept && { 'if-none-match': kept.etag }) }
    const until = anyOf(signal, AbortSignal.timeout(this.#limits.requestMs))
    try {
      const answer = await fetch(url, { headers, signal: until, maxBytes })
      if (answer.status === 304 && kept) {
        await cache.write(url.href, { ...kept, at: clock.wall() })
        return { value: this.#json(kept.body), keptSince: undefined }
      }
      if (answer.status === 404) return undefined
      if (answer.status !== 200) throw this.#refusedBy(answer.status, answer.headers)
      const body = answer.body.toString('utf8')
      const value = this.#json(body)
      const etag = [answer.headers.etag].flat()[0]
      if (etag !== undefined && etag.length <= 256) await cache.write(url.href, { etag, body, at: clock.wall() })
      return { value, keptSince: undefined }
    } catch (error) {
      signal?.throwIfAborted()
      const away = this.#away(error)
      // What it said before still helps whoever looks around; who installs asks `keptSince`.
      if (away.code === 'SOURCE_UNAVAILABLE' && kept) return { value: this.#json(kept.body), keptSince: kept.at }
      throw away
    }
  }

  #json(text: string): unknown {
    if (scanJson(text, jsonLimits)) throw this.#wrong('its answer is out of bounds')
    try {
      return JSON.parse(text)
    } catch {
      throw this.#wrong('its answer is no whole JSON')
    }
  }

  #read<T>(value: unknown, parse: (value: unknown) => T): T {
    try {
      return parse(value)
    } catch (error) {
      if (!isGatewayError(error)) throw error
      throw new GatewayError(error.code, `The registry '${this.registry.name}' answers wrongly: ${error.message}`, {
        details: { registry: this.registry.name },
        cause: error,
      })
    }
  }

  #wrong(why: string): GatewayError {
    return new GatewayError('RESULT_INVALID', `The registry '${this.registry.name}' is not believed: ${why}.`, {
      details: { registry: this.registry.name },
    })
  }

  #notThere(): GatewayError {
    return this.#wrong('there is no /v0.1/servers at its address')
  }

  #refusedBy(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): GatewayError {
    const { name } = this.registry
    const details = { registry: name, status }
    if (status === 401 || status === 403)
      return new GatewayError(
        'ACCESS_DENIED',
        `The registry '${name}' wants to know who asks (${status}): give it "headers" in the setting "registries".`,
        { details },
      )
    if (status >= 300 && status < 400)
      return new GatewayError(
        'RESULT_INVALID',
        `The registry '${name}' sends us elsewhere (${status}), which is not followed: name the address it has now.`,
        { details },
      )
    if (status === 429)
      return new GatewayError('RATE_LIMITED', `The registry '${name}' asks for patience (429).`, {
        details,
        retryAfterMs: (Number([headers['retry-after']].flat()[0]) || 60) * 1000,
      })
    return new GatewayError('SOURCE_UNAVAILABLE', `The registry '${name}' answered ${status}.`, { details })
  }

  #away(error: unknown): GatewayError {
    const { name } = this.registry
    if (isGatewayError(error) && error.code !== 'SOURCE_UNAVAILABLE') {
      if (error.code !== 'RESULT_TOO_LARGE') return error
      return new GatewayError('RESULT_TOO_LARGE', `The registry '${name}' is not read on: ${error.message}`, {
        details: { ...error.details, registry: name },
        cause: error,
      })
    }
    if (isGatewayError(error) && error.details?.status !== undefined) return error
    const why = isTimeout(error) ? 'it took too long' : error instanceof Error ? error.message : String(error)
    return new GatewayError('SOURCE_UNAVAILABLE', `The registry '${name}' is away: ${why}`, {
      details: { registry: name },
      cause: error,
    })
  }
}

const isTimeout = (error: unknown): boolean =>
  /timeout|aborted/i.test(error instanceof Error ? `${error.name} ${error.message}` : '')

const anyOf = (...signals: readonly (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter((each) => each !== undefined))

/** Registries that do not know `version=latest` answer with all of them. */
const keepNewest = (byName: Map<string, ListedServer>, next: ListedServer): void => {
  const known = byName.get(next.server.name)
  if (!known || (next.standing.isLatest && !known.standing.isLatest)) byName.set(next.server.name, next)
}
