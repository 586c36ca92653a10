import { type GatewayError, messageOf } from '../errors.js'
import type { RpcNotification } from '../mcp/message.js'
import { isRpcError, rpcCodes } from '../mcp/rpc-error.js'
import { createNamedTimers, type NamedTimers } from '../model/clock.js'
import { isRecord, type JsonObject } from '../model/json.js'
import { createFollowed, type Followed } from './mcp-followed.js'
import type { McpLink } from './mcp-link.js'
import type { McpSourceOptions } from './mcp-source-options.js'
import type { McpSurface, SurfaceKind, SurfaceOffer } from './surface.js'

/** A surface whose connection may be replaced under it: lists are kept, requests go to the connection of the moment. */
export interface LinkedSurface extends McpSurface {
  attach(link: McpLink): void
  detach(): void
  notice(message: RpcNotification): void
  /** Reads everything again: something may have been missed. */
  refresh(): void
  /** Offers nothing until the next link: somebody took the server away. */
  withdraw(): void
}

export type McpSurfaceOptions = Pick<McpSourceOptions, 'name' | 'clock' | 'logger' | 'knownOffer'>

// As with tools: a server that announces changes without end is listed once a second (F32).
const relistMs = 1000

export const createMcpSurface = (options: McpSurfaceOptions): LinkedSurface => new ServerSurface(options)

type Lists = Pick<SurfaceOffer, 'prompts' | 'resources' | 'templates'>

class ServerSurface implements LinkedSurface {
  offer: SurfaceOffer | undefined
  #link: McpLink | undefined
  readonly #options: McpSurfaceOptions
  readonly #timers: NamedTimers<SurfaceKind>
  readonly #followed: Followed
  readonly #reading = new Set<Promise<void>>()
  readonly #wasRead: Set<SurfaceKind>
  readonly #again = new Set<SurfaceKind>()
  readonly #changed = new Set<(kind: SurfaceKind) => void>()
  readonly #updated = new Set<(params: JsonObject) => void>()
  readonly #completed = new Set<(elicitationId: string) => void>()

  constructor(options: McpSurfaceOptions) {
    this.#options = options
    this.offer = options.knownOffer
    this.#wasRead = new Set(options.knownOffer ? ['prompts', 'resources'] : [])
    this.#timers = createNamedTimers(options.clock)
    this.#followed = createFollowed(options.clock)
  }

  get isRead(): boolean {
    return this.#wasRead.size === 2
  }

  async settled(): Promise<void> {
    await Promise.allSettled([...this.#reading])
  }

  follow(uri: string, caller: string): (() => void) | GatewayError {
    return this.#followed.add(uri, caller)
  }

  listen(notifications: JsonObject, onNotification: (method: string, params: JsonObject) => void): () => void {
    const stop = new AbortController()
    this.#link?.stream(notifications, ({ method, params }) => onNotification(method, params ?? {}), stop.signal)
    return () => stop.abort()
  }

  onChange(listener: (kind: SurfaceKind) => void): () => void {
    this.#changed.add(listener)
    return () => void this.#changed.delete(listener)
  }

  onUpdated(listener: (params: JsonObject) => void): () => void {
    this.#updated.add(listener)
    return () => void this.#updated.delete(listener)
  }

  onCompleted(listener: (elicitationId: string) => void): () => void {
    this.#completed.add(listener)
    return () => void this.#completed.delete(listener)
  }

  attach(link: McpLink): void {
    this.#link = link
    const { info } = link
    if (!info) return
    const { era, capabilities, instructions } = info
    const known = this.offer ?? { prompts: [], resources: [], templates: [] }
    this.offer = { ...known, era, capabilities, instructions }
    this.#followed.attach(link)
    this.refresh()
  }

  detach(): void {
    this.#link = undefined
    this.#timers.clearAll()
    this.#again.clear()
    this.#followed.detach()
  }

  withdraw(): void {
    this.offer = undefined
    this.#wasRead.clear()
    for (const kind of ['prompts', 'resources'] as const) for (const listener of [...this.#changed]) listener(kind)
  }

  refresh(): void {
    this.#readSoon('prompts')
    this.#readSoon('resources')
  }

  notice({ method, params }: RpcNotification): void {
    if (method === 'notifications/prompts/list_changed') this.#readSoon('prompts')
    else if (method === 'notifications/resources/list_changed') this.#readSoon('resources')
    else if (method === 'notifications/resources/updated' && typeof params?.uri === 'string')
      for (const listener of [...this.#updated]) listener(params)
    else if (method === 'notifications/elicitation/complete' && typeof params?.elicitationId === 'string')
      for (const listener of [...this.#completed]) listener(params.elicitationId)
  }

  #readSoon(kind: SurfaceKind): void {
    if (!this.#link) return
    if (this.#timers.has(kind)) return void this.#again.add(kind)
    this.#timers.set(kind, relistMs, () => this.#again.delete(kind) && this.#readSoon(kind))
    const isFirst = !this.#wasRead.has(kind)
    const reading = this.#read(kind, this.#link).finally(() => this.#reading.delete(reading))
    // Whoever asks waits for the first list of a kind; a list that is there answers, and a change of it is told.
    if (isFirst) this.#reading.add(reading)
  }

  async #read(kind: SurfaceKind, link: McpLink): Promise<void> {
    try {
      const lists = kind === 'prompts' ? await readPrompts(link) : await readResources(link)
      if (link !== this.#link || !this.offer) return
      const before = this.offer
      this.#wasRead.add(kind)
      this.offer = { ...before, ...lists }
      if (!sameLists(before, this.offer)) for (const listener of [...this.#changed]) listener(kind)
    } catch (error) {
      if (link === this.#link) this.#wasRead.add(kind)
      const { logger, name } = this.#options
      logger.log('warn', `The ${kind} of '${name}' could not be read: ${messageOf(error)}`, { source: name })
    }
  }
}

const readPrompts = async (link: McpLink): Promise<Partial<Lists>> => ({
  prompts: await readList(link, 'prompts', 'prompts/list', 'prompts', 'name'),
})

const readResources = async (link: McpLink): Promise<Partial<Lists>> => {
  const [resources, templates] = await Promise.all([
    readList(link, 'resources', 'resources/list', 'resources', 'uri'),
    readList(link, 'resources', 'resources/templates/list', 'resourceTemplates', 'uriTemplate'),
  ])
  return { resources, templates }
}

// Names and URIs are compared, shown and put into headers: past this they are an attack, not a name.
const longestKey = 4096

const readList = async (link: McpLink, capability: string, method: string, member: string, key: string) => {
  if (!isRecord(link.info?.capabilities[capability])) return []
  const { items } = await link.listAll(method, member).catch((error: unknown) => {
    // Many servers with resources have no templates and do not know the method.
    if (isRpcError(error) && error.code === rpcCodes.methodNotFound) return { items: [] }
    throw error
  })
  const seen = new Set<unknown>()
  return items.filter((item) => {
    const value = item[key]
    const usable = typeof value === 'string' && value !== '' && value.length <= longestKey && !seen.has(value)
    seen.add(value)
    return usable
  })
}

const sameLists = (before: Lists, after: Lists): boolean =>
  JSON.stringify([before.prompts, before.resources, before.templates]) ===
  JSON.stringify([after.prompts, after.resources, after.templates])
